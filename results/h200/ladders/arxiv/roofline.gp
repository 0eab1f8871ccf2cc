# Draws roofline.svg and roofline.png from roofline.csv: gnuplot roofline.gp
# One line of the table is one thing drawn: `item` says what, `name` of which level or roof.
reset
set encoding utf8
set datafile separator ','
set datafile columnheaders
table = 'roofline.csv'

set lmargin at screen 0.09833
set rmargin at screen 0.74667
set bmargin at screen 0.10500
set tmargin at screen 0.86500
set label 'Hierarchical roofline: NVIDIA H200' at screen 0.09833,0.96250 noenhanced font ',22'
set label 'cuda; preset gpp214, seed 1, 2.454e+10 terms; 2026-11-23' at screen 0.09833,0.93000 noenhanced font ',14' textcolor rgb '#6B6B6B'
set border 3 linecolor rgb '#6B6B6B'
set tics nomirror textcolor rgb '#000000'
set grid xtics ytics linetype 1 linecolor rgb '#E8E8E8' linewidth 1
set style textbox opaque noborder fillcolor rgb '#FFFFFF' margins 0.4,0.3
set logscale xy
set xrange [0.1:100]
set yrange [2000000000000:50000000000000]
set xlabel 'arithmetic intensity: FLOP per byte moved at each level'
set xtics ('0.1 FLOP/B' 0.1 0, '' 0.2 1, '' 0.30000000000000004 1, '' 0.4 1, '' 0.5 1, '' 0.6000000000000001 1, '' 0.7000000000000001 1, '' 0.8 1, '' 0.9 1, '1 FLOP/B' 1 0, '' 2 1, '' 3 1, '' 4 1, '' 5 1, '' 6 1, '' 7 1, '' 8 1, '' 9 1, '10 FLOP/B' 10 0, '' 20 1, '' 30 1, '' 40 1, '' 50 1, '' 60 1, '' 70 1, '' 80 1, '' 90 1, '100 FLOP/B' 100 0)
set ytics ('2 TFLOP/s' 2000000000000 0, '' 3000000000000 1, '' 4000000000000 1, '5 TFLOP/s' 5000000000000 0, '' 6000000000000 1, '' 7000000000000 1, '' 8000000000000 1, '' 9000000000000 1, '10 TFLOP/s' 10000000000000 0, '20 TFLOP/s' 20000000000000 0, '' 30000000000000 1, '' 40000000000000 1, '50 TFLOP/s' 50000000000000 0)
set label '' at screen 0.10417,0.88750 point pointtype 7 pointsize 1.4 linewidth 1.8 linecolor rgb '#D55E00'
set label 'L1' at screen 0.11417,0.88750 noenhanced font ',14'
set label '' at screen 0.14853,0.88750 point pointtype 5 pointsize 1.4 linewidth 1.8 linecolor rgb '#009E73'
set label 'L2' at screen 0.15853,0.88750 noenhanced font ',14'
set label '' at screen 0.19290,0.88750 point pointtype 13 pointsize 1.4 linewidth 1.8 linecolor rgb '#0072B2'
set label 'DRAM' at screen 0.20290,0.88750 noenhanced font ',14'
set label '' at screen 0.25080,0.88750 point pointtype 7 pointsize 1.4 linewidth 1.8 linecolor rgb '#6B6B6B'
set label 'counted by hardware' at screen 0.26080,0.88750 noenhanced font ',14'
set arrow from screen 0.40437,0.88750 to screen 0.43103,0.88750 nohead linewidth 2 linecolor rgb '#6B6B6B' 
set label 'roof, measured' at screen 0.43520,0.88750 noenhanced font ',14'
set arrow from screen 0.54493,0.88750 to screen 0.57160,0.88750 nohead linewidth 2 linecolor rgb '#6B6B6B' dashtype (7,5)
set label 'theoretical' at screen 0.57577,0.88750 noenhanced font ',14'
set arrow from screen 0.74667,0.60537 to screen 0.75833,0.60537 nohead linecolor rgb '#6B6B6B' linewidth 0.7
set label 'FP64 no FMA 16.6 of 16.7 TFLOP/s' at screen 0.76167,0.60537 noenhanced font ',13' textcolor rgb '#6B6B6B'
set arrow from screen 0.74667,0.67213 to screen 0.75833,0.65396 nohead linecolor rgb '#6B6B6B' linewidth 0.7
set label 'FP64 FMA 3 operands 22.1 of 33.5 TFLOP/s' at screen 0.76167,0.65396 noenhanced font ',13' textcolor rgb '#6B6B6B'
set arrow from screen 0.74667,0.68934 to screen 0.75833,0.67771 nohead linecolor rgb '#6B6B6B' linewidth 0.7
set label 'FMA mix v1–arxiv_3: 23.8 TFLOP/s' at screen 0.76167,0.67771 noenhanced font ',13' textcolor rgb '#6B6B6B'
set arrow from screen 0.74667,0.69514 to screen 0.75833,0.70146 nohead linecolor rgb '#6B6B6B' linewidth 0.7
set label 'FMA mix arxiv_5–arxiv_8: 24.4 TFLOP/s' at screen 0.76167,0.70146 noenhanced font ',13' textcolor rgb '#6B6B6B'
set arrow from screen 0.74667,0.70174 to screen 0.75833,0.72521 nohead linecolor rgb '#6B6B6B' linewidth 0.7
set label 'FMA mix arxiv_4: 25.0 TFLOP/s' at screen 0.76167,0.72521 noenhanced font ',13' textcolor rgb '#6B6B6B'
set arrow from screen 0.74667,0.76908 to screen 0.75833,0.76908 nohead linecolor rgb '#6B6B6B' linewidth 0.7
set label 'FP64 FMA 33.3 of 33.4 TFLOP/s' at screen 0.76167,0.76908 noenhanced font ',13' textcolor rgb '#000000'

is(item, name) = strcol('item') eq item && strcol('name') eq name
x(item, name) = is(item, name) ? column('flop_per_byte') : NaN
of(source, level) = is('point', level) && strcol('source') eq source ? column('flop_per_byte') : NaN
length(from, to) = column(to) - column(from)

set terminal svg size 1200,800 noenhanced font 'Helvetica,15' background rgb 'white'
set output 'roofline.svg'
plot table using (x('theoretical', 'l1')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#D55E00' linewidth 1.5 dashtype (7,5) notitle, \
     table using (x('roof', 'l1')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#D55E00' linewidth 2.8 notitle, \
     table using (x('roof', 'l2')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#009E73' linewidth 2.8 notitle, \
     table using (x('theoretical', 'dram')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#0072B2' linewidth 1.5 dashtype (7,5) notitle, \
     table using (x('roof', 'dram')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#0072B2' linewidth 2.8 notitle, \
     table using (x('theoretical', 'fp64_fma')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#000000' linewidth 1.5 dashtype (7,5) notitle, \
     table using (x('roof', 'fp64_fma')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#000000' linewidth 2.8 notitle, \
     table using (x('theoretical', 'fp64_operands_3')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#6B6B6B' linewidth 0.8 dashtype (7,5) notitle, \
     table using (x('thin roof', 'fp64_operands_3')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#6B6B6B' linewidth 1 notitle, \
     table using (x('theoretical', 'fp64_no_fma')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#6B6B6B' linewidth 0.8 dashtype (7,5) notitle, \
     table using (x('thin roof', 'fp64_no_fma')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#6B6B6B' linewidth 1 notitle, \
     table using (x('mix', 'mix')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#6B6B6B' linewidth 1.4 dashtype (2,3) notitle, \
     table using (x('arrow', 'l1')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors head filled size screen 0.007,22 linecolor rgb '#90D55E00' linewidth 1.3 notitle, \
     table using (x('leader', 'l1')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#6B6B6B' linewidth 0.7 notitle, \
     table using (x('arrow', 'l2')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors head filled size screen 0.007,22 linecolor rgb '#90009E73' linewidth 1.3 notitle, \
     table using (x('leader', 'l2')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#6B6B6B' linewidth 0.7 notitle, \
     table using (x('arrow', 'dram')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors head filled size screen 0.007,22 linecolor rgb '#900072B2' linewidth 1.3 notitle, \
     table using (x('leader', 'dram')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#6B6B6B' linewidth 0.7 notitle, \
     table using (of('counted', 'l1')):(column('flop_per_s')) with points pointtype 7 pointsize 1.75 linewidth 1.8 linecolor rgb '#FFFFFF' notitle, \
     table using (of('counted', 'l1')):(column('flop_per_s')) with points pointtype 7 pointsize 1.35 linewidth 1.8 linecolor rgb '#D55E00' notitle, \
     table using (of('counted', 'l2')):(column('flop_per_s')) with points pointtype 5 pointsize 1.75 linewidth 1.8 linecolor rgb '#FFFFFF' notitle, \
     table using (of('counted', 'l2')):(column('flop_per_s')) with points pointtype 5 pointsize 1.35 linewidth 1.8 linecolor rgb '#009E73' notitle, \
     table using (of('counted', 'dram')):(column('flop_per_s')) with points pointtype 13 pointsize 1.75 linewidth 1.8 linecolor rgb '#FFFFFF' notitle, \
     table using (of('counted', 'dram')):(column('flop_per_s')) with points pointtype 13 pointsize 1.35 linewidth 1.8 linecolor rgb '#0072B2' notitle, \
     table using (x('roof name', 'l1')):(column('flop_per_s')):(strcol('text')) with labels noenhanced rotate by 59.19 textcolor rgb '#D55E00' notitle, \
     table using (x('roof name', 'l2')):(column('flop_per_s')):(strcol('text')) with labels noenhanced rotate by 59.19 textcolor rgb '#009E73' notitle, \
     table using (x('roof name', 'dram')):(column('flop_per_s')):(strcol('text')) with labels noenhanced rotate by 59.19 textcolor rgb '#0072B2' notitle, \
     table using (x('name', 'l1')):(column('flop_per_s')):(strcol('text')) with labels noenhanced  textcolor rgb '#D55E00' notitle, \
     table using (x('name', 'l2')):(column('flop_per_s')):(strcol('text')) with labels noenhanced  textcolor rgb '#009E73' notitle, \
     table using (x('name', 'dram')):(column('flop_per_s')):(strcol('text')) with labels noenhanced  textcolor rgb '#0072B2' notitle

set terminal pngcairo size 1800,1200 noenhanced font 'Helvetica,15' fontscale 1.110 linewidth 1.5 pointscale 1.5
set output 'roofline.png'
replot
unset output
