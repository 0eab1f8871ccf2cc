# Draws roofline-instructions.svg and roofline-instructions.png from roofline-instructions.csv: gnuplot roofline-instructions.gp
# One line of the table is one thing drawn: `item` says what, `name` of which level or roof.
reset
set encoding utf8
set datafile separator ','
set datafile columnheaders
table = 'roofline-instructions.csv'

set lmargin at screen 0.09833
set rmargin at screen 0.74667
set bmargin at screen 0.10500
set tmargin at screen 0.86500
set label 'Instruction roofline, all instructions: NVIDIA H200' at screen 0.09833,0.96250 noenhanced font ',22'
set label 'cuda; preset gpp214, seed 1, 2.454e+10 terms; 2026-11-23' at screen 0.09833,0.93000 noenhanced font ',14' textcolor rgb '#6B6B6B'
set border 3 linecolor rgb '#6B6B6B'
set tics nomirror textcolor rgb '#000000'
set grid xtics ytics linetype 1 linecolor rgb '#E8E8E8' linewidth 1
set style textbox opaque noborder fillcolor rgb '#FFFFFF' margins 0.4,0.3
set logscale xy
set xrange [0.1:1000]
set yrange [50000000000:2000000000000]
set xlabel 'instruction intensity: warp instructions per transaction at each level'
set xtics ('0.1 inst/txn' 0.1 0, '' 0.2 1, '' 0.30000000000000004 1, '' 0.4 1, '' 0.5 1, '' 0.6000000000000001 1, '' 0.7000000000000001 1, '' 0.8 1, '' 0.9 1, '1 inst/txn' 1 0, '' 2 1, '' 3 1, '' 4 1, '' 5 1, '' 6 1, '' 7 1, '' 8 1, '' 9 1, '10 inst/txn' 10 0, '' 20 1, '' 30 1, '' 40 1, '' 50 1, '' 60 1, '' 70 1, '' 80 1, '' 90 1, '100 inst/txn' 100 0, '' 200 1, '' 300 1, '' 400 1, '' 500 1, '' 600 1, '' 700 1, '' 800 1, '' 900 1, '1000 inst/txn' 1000 0)
set ytics ('50 GIPS' 50000000000 0, '' 60000000000 1, '' 70000000000 1, '' 80000000000 1, '' 90000000000 1, '100 GIPS' 100000000000 0, '200 GIPS' 200000000000 0, '' 300000000000 1, '' 400000000000 1, '500 GIPS' 500000000000 0, '' 600000000000 1, '' 700000000000 1, '' 800000000000 1, '' 900000000000 1, '1 TIPS' 1000000000000 0, '2 TIPS' 2000000000000 0)
set label '' at screen 0.10417,0.88750 point pointtype 7 pointsize 1.4 linewidth 1.8 linecolor rgb '#D55E00'
set label 'L1' at screen 0.11417,0.88750 noenhanced font ',14'
set label '' at screen 0.14853,0.88750 point pointtype 5 pointsize 1.4 linewidth 1.8 linecolor rgb '#009E73'
set label 'L2' at screen 0.15853,0.88750 noenhanced font ',14'
set label '' at screen 0.19290,0.88750 point pointtype 13 pointsize 1.4 linewidth 1.8 linecolor rgb '#0072B2'
set label 'DRAM' at screen 0.20290,0.88750 noenhanced font ',14'
set label '' at screen 0.25080,0.88750 point pointtype 7 pointsize 1.4 linewidth 1.8 linecolor rgb '#6B6B6B'
set label 'counted by hardware' at screen 0.26080,0.88750 noenhanced font ',14'
set arrow from screen 0.40437,0.88750 to screen 0.43103,0.88750 nohead linewidth 2 linecolor rgb '#6B6B6B' 
set label 'dash: with lanes that were switched off' at screen 0.43520,0.88750 noenhanced font ',14'
set arrow from screen 0.71410,0.88750 to screen 0.74077,0.88750 nohead linewidth 2 linecolor rgb '#6B6B6B' 
set label 'roof, measured' at screen 0.74493,0.88750 noenhanced font ',14'
set arrow from screen 0.85467,0.88750 to screen 0.88133,0.88750 nohead linewidth 2 linecolor rgb '#6B6B6B' dashtype (7,5)
set label 'theoretical' at screen 0.88550,0.88750 noenhanced font ',14'
set arrow from screen 0.74667,0.30230 to screen 0.75833,0.30230 nohead linecolor rgb '#6B6B6B' linewidth 0.7
set label 'XU pipe 130 of 131 GIPS' at screen 0.76167,0.30230 noenhanced font ',13' textcolor rgb '#6B6B6B'
set arrow from screen 0.74667,0.58732 to screen 0.75833,0.57566 nohead linecolor rgb '#6B6B6B' linewidth 0.7
set label 'ALU pipe 520 of 523 GIPS' at screen 0.76167,0.57566 noenhanced font ',13' textcolor rgb '#6B6B6B'
set arrow from screen 0.74667,0.58775 to screen 0.75833,0.59941 nohead linecolor rgb '#6B6B6B' linewidth 0.7
set label 'FP64 pipe 521 of 523 GIPS' at screen 0.76167,0.59941 noenhanced font ',13' textcolor rgb '#6B6B6B'
set arrow from screen 0.74667,0.71854 to screen 0.75833,0.71854 nohead linecolor rgb '#6B6B6B' linewidth 0.7
set label 'warp instructions 982 GIPS of 1.05 TIPS' at screen 0.76167,0.71854 noenhanced font ',13' textcolor rgb '#000000'

is(item, name) = strcol('item') eq item && strcol('name') eq name
x(item, name) = is(item, name) ? column('flop_per_byte') : NaN
of(source, level) = is('point', level) && strcol('source') eq source ? column('flop_per_byte') : NaN
length(from, to) = column(to) - column(from)

set terminal svg size 1200,800 noenhanced font 'Helvetica,15' background rgb 'white'
set output 'roofline-instructions.svg'
plot table using (x('theoretical', 'l1')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#D55E00' linewidth 1.5 dashtype (7,5) notitle, \
     table using (x('roof', 'l1')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#D55E00' linewidth 2.8 notitle, \
     table using (x('roof', 'l2')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#009E73' linewidth 2.8 notitle, \
     table using (x('theoretical', 'dram')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#0072B2' linewidth 1.5 dashtype (7,5) notitle, \
     table using (x('roof', 'dram')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#0072B2' linewidth 2.8 notitle, \
     table using (x('theoretical', 'issue')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#000000' linewidth 1.5 dashtype (7,5) notitle, \
     table using (x('roof', 'issue')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#000000' linewidth 2.8 notitle, \
     table using (x('theoretical', 'issue_fp64')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#6B6B6B' linewidth 0.8 dashtype (7,5) notitle, \
     table using (x('thin roof', 'issue_fp64')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#6B6B6B' linewidth 1 notitle, \
     table using (x('theoretical', 'issue_alu')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#6B6B6B' linewidth 0.8 dashtype (7,5) notitle, \
     table using (x('thin roof', 'issue_alu')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#6B6B6B' linewidth 1 notitle, \
     table using (x('theoretical', 'issue_xu')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#6B6B6B' linewidth 0.8 dashtype (7,5) notitle, \
     table using (x('thin roof', 'issue_xu')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#6B6B6B' linewidth 1 notitle, \
     table using (x('dash', 'l1')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#D55E00' linewidth 2.2 notitle, \
     table using (x('arrow', 'l1')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors head filled size screen 0.007,22 linecolor rgb '#90D55E00' linewidth 1.3 notitle, \
     table using (x('dash', 'l2')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#009E73' linewidth 2.2 notitle, \
     table using (x('arrow', 'l2')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors head filled size screen 0.007,22 linecolor rgb '#90009E73' linewidth 1.3 notitle, \
     table using (x('leader', 'l2')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#6B6B6B' linewidth 0.7 notitle, \
     table using (x('dash', 'dram')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#0072B2' linewidth 2.2 notitle, \
     table using (x('arrow', 'dram')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors head filled size screen 0.007,22 linecolor rgb '#900072B2' linewidth 1.3 notitle, \
     table using (x('leader', 'dram')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#6B6B6B' linewidth 0.7 notitle, \
     table using (of('counted', 'l1')):(column('flop_per_s')) with points pointtype 7 pointsize 1.75 linewidth 1.8 linecolor rgb '#FFFFFF' notitle, \
     table using (of('counted', 'l1')):(column('flop_per_s')) with points pointtype 7 pointsize 1.35 linewidth 1.8 linecolor rgb '#D55E00' notitle, \
     table using (of('counted', 'l2')):(column('flop_per_s')) with points pointtype 5 pointsize 1.75 linewidth 1.8 linecolor rgb '#FFFFFF' notitle, \
     table using (of('counted', 'l2')):(column('flop_per_s')) with points pointtype 5 pointsize 1.35 linewidth 1.8 linecolor rgb '#009E73' notitle, \
     table using (of('counted', 'dram')):(column('flop_per_s')) with points pointtype 13 pointsize 1.75 linewidth 1.8 linecolor rgb '#FFFFFF' notitle, \
     table using (of('counted', 'dram')):(column('flop_per_s')) with points pointtype 13 pointsize 1.35 linewidth 1.8 linecolor rgb '#0072B2' notitle, \
     table using (x('roof name', 'l1')):(column('flop_per_s')):(strcol('text')) with labels noenhanced rotate by 62.86 textcolor rgb '#D55E00' notitle, \
     table using (x('roof name', 'l2')):(column('flop_per_s')):(strcol('text')) with labels noenhanced rotate by 62.86 textcolor rgb '#009E73' notitle, \
     table using (x('roof name', 'dram')):(column('flop_per_s')):(strcol('text')) with labels noenhanced rotate by 62.86 textcolor rgb '#0072B2' notitle, \
     table using (x('name', 'l1')):(column('flop_per_s')):(strcol('text')) with labels noenhanced  textcolor rgb '#D55E00' notitle, \
     table using (x('name', 'l2')):(column('flop_per_s')):(strcol('text')) with labels noenhanced  textcolor rgb '#009E73' notitle, \
     table using (x('name', 'dram')):(column('flop_per_s')):(strcol('text')) with labels noenhanced  textcolor rgb '#0072B2' notitle

set terminal pngcairo size 1800,1200 noenhanced font 'Helvetica,15' fontscale 1.110 linewidth 1.5 pointscale 1.5
set output 'roofline-instructions.png'
replot
unset output
