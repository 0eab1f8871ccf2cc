# Draws roofline-shared_access.svg and roofline-shared_access.png from roofline-shared_access.csv: gnuplot roofline-shared_access.gp
# One line of the table is one thing drawn: `item` says what, `name` of which level or roof.
reset
set encoding utf8
set datafile separator ','
set datafile columnheaders
table = 'roofline-shared_access.csv'

set lmargin at screen 0.09833
set rmargin at screen 0.74667
set bmargin at screen 0.10500
set tmargin at screen 0.86500
set label 'Instruction roofline, shared memory access: NVIDIA H200' at screen 0.09833,0.96250 noenhanced font ',22'
set label 'cuda; preset gpp214_rank2, seed 1, 2.454e+10 terms; 2026-11-23' at screen 0.09833,0.93000 noenhanced font ',14' textcolor rgb '#6B6B6B'
set border 3 linecolor rgb '#6B6B6B'
set tics nomirror textcolor rgb '#000000'
set grid xtics ytics linetype 1 linecolor rgb '#E8E8E8' linewidth 1
set style textbox opaque noborder fillcolor rgb '#FFFFFF' margins 0.4,0.3
set logscale xy
set xrange [0.01:10]
set yrange [10000000:2000000000000]
set xlabel 'instruction intensity: loads and stores of shared memory per pass of 128 B'
set xtics ('0.01 inst/txn' 0.01 0, '' 0.02 1, '' 0.03 1, '' 0.04 1, '' 0.05 1, '' 0.06 1, '' 0.07 1, '' 0.08 1, '' 0.09 1, '0.1 inst/txn' 0.1 0, '' 0.2 1, '' 0.30000000000000004 1, '' 0.4 1, '' 0.5 1, '' 0.6000000000000001 1, '' 0.7000000000000001 1, '' 0.8 1, '' 0.9 1, '1 inst/txn' 1 0, '' 2 1, '' 3 1, '' 4 1, '' 5 1, '' 6 1, '' 7 1, '' 8 1, '' 9 1, '10 inst/txn' 10 0)
set ytics ('10 MIPS' 10000000 0, '20 MIPS' 20000000 0, '' 30000000 1, '' 40000000 1, '50 MIPS' 50000000 0, '' 60000000 1, '' 70000000 1, '' 80000000 1, '' 90000000 1, '100 MIPS' 100000000 0, '200 MIPS' 200000000 0, '' 300000000 1, '' 400000000 1, '500 MIPS' 500000000 0, '' 600000000 1, '' 700000000 1, '' 800000000 1, '' 900000000 1, '1 GIPS' 1000000000 0, '2 GIPS' 2000000000 0, '' 3000000000 1, '' 4000000000 1, '5 GIPS' 5000000000 0, '' 6000000000 1, '' 7000000000 1, '' 8000000000 1, '' 9000000000 1, '10 GIPS' 10000000000 0, '20 GIPS' 20000000000 0, '' 30000000000 1, '' 40000000000 1, '50 GIPS' 50000000000 0, '' 60000000000 1, '' 70000000000 1, '' 80000000000 1, '' 90000000000 1, '100 GIPS' 100000000000 0, '200 GIPS' 200000000000 0, '' 300000000000 1, '' 400000000000 1, '500 GIPS' 500000000000 0, '' 600000000000 1, '' 700000000000 1, '' 800000000000 1, '' 900000000000 1, '1 TIPS' 1000000000000 0, '2 TIPS' 2000000000000 0)
set label '' at screen 0.10417,0.88750 point pointtype 15 pointsize 1.4 linewidth 1.8 linecolor rgb '#56B4E9'
set label 'shared memory' at screen 0.11417,0.88750 noenhanced font ',14'
set label '' at screen 0.22297,0.88750 point pointtype 7 pointsize 1.4 linewidth 1.8 linecolor rgb '#6B6B6B'
set label 'counted by hardware' at screen 0.23297,0.88750 noenhanced font ',14'
set arrow from screen 0.37653,0.88750 to screen 0.40320,0.88750 nohead linewidth 2 linecolor rgb '#6B6B6B' dashtype (9,4)
set label 'wall: a pattern of access' at screen 0.40737,0.88750 noenhanced font ',14'
set arrow from screen 0.59153,0.88750 to screen 0.61820,0.88750 nohead linewidth 2 linecolor rgb '#6B6B6B' 
set label 'roof, measured' at screen 0.62237,0.88750 noenhanced font ',14'
set arrow from screen 0.73210,0.88750 to screen 0.75877,0.88750 nohead linewidth 2 linecolor rgb '#6B6B6B' dashtype (7,5)
set label 'theoretical' at screen 0.76293,0.88750 noenhanced font ',14'
set arrow from screen 0.74667,0.82074 to screen 0.75833,0.82074 nohead linecolor rgb '#6B6B6B' linewidth 0.7
set label 'warp instructions 982 GIPS of 1.05 TIPS' at screen 0.76167,0.82074 noenhanced font ',13' textcolor rgb '#000000'

is(item, name) = strcol('item') eq item && strcol('name') eq name
x(item, name) = is(item, name) ? column('flop_per_byte') : NaN
of(source, level) = is('point', level) && strcol('source') eq source ? column('flop_per_byte') : NaN
length(from, to) = column(to) - column(from)

set terminal svg size 1200,800 noenhanced font 'Helvetica,15' background rgb 'white'
set output 'roofline-shared_access.svg'
plot table using (x('theoretical', 'shared')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#56B4E9' linewidth 1.5 dashtype (7,5) notitle, \
     table using (x('roof', 'shared')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#56B4E9' linewidth 2.8 notitle, \
     table using (x('theoretical', 'issue')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#000000' linewidth 1.5 dashtype (7,5) notitle, \
     table using (x('roof', 'issue')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#000000' linewidth 2.8 notitle, \
     table using (x('wall', 'wall')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#6B6B6B' linewidth 1.6 dashtype (9,4) notitle, \
     table using (x('wall name', 'wall')):(column('flop_per_s')):(strcol('text')) with labels noenhanced font ',13' rotate by 90 textcolor rgb '#6B6B6B' notitle, \
     table using (x('arrow', 'shared')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors head filled size screen 0.007,22 linecolor rgb '#9056B4E9' linewidth 1.3 notitle, \
     table using (of('counted', 'shared')):(column('flop_per_s')) with points pointtype 15 pointsize 1.75 linewidth 1.8 linecolor rgb '#FFFFFF' notitle, \
     table using (of('counted', 'shared')):(column('flop_per_s')) with points pointtype 15 pointsize 1.35 linewidth 1.8 linecolor rgb '#56B4E9' notitle, \
     table using (x('roof name', 'shared')):(column('flop_per_s')):(strcol('text')) with labels noenhanced rotate by 23.86 textcolor rgb '#56B4E9' notitle, \
     table using (x('name', 'shared')):(column('flop_per_s')):(strcol('text')) with labels noenhanced  textcolor rgb '#56B4E9' notitle

set terminal pngcairo size 1800,1200 noenhanced font 'Helvetica,15' fontscale 1.110 linewidth 1.5 pointscale 1.5
set output 'roofline-shared_access.png'
replot
unset output
