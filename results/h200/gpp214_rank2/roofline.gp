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
set label 'cuda; preset gpp214_rank2, seed 1, 2.454e+10 terms; 2026-11-23' at screen 0.09833,0.93000 noenhanced font ',14' textcolor rgb '#6B6B6B'
set border 3 linecolor rgb '#6B6B6B'
set tics nomirror textcolor rgb '#000000'
set grid xtics ytics linetype 1 linecolor rgb '#E8E8E8' linewidth 1
set style textbox opaque noborder fillcolor rgb '#FFFFFF' margins 0.4,0.3
set logscale xy
set xrange [0.1:10000]
set yrange [1000000000000:50000000000000]
set xlabel 'arithmetic intensity: FLOP per byte moved at each level'
set xtics ('0.1 FLOP/B' 0.1 0, '' 0.2 1, '' 0.30000000000000004 1, '' 0.4 1, '' 0.5 1, '' 0.6000000000000001 1, '' 0.7000000000000001 1, '' 0.8 1, '' 0.9 1, '1 FLOP/B' 1 0, '' 2 1, '' 3 1, '' 4 1, '' 5 1, '' 6 1, '' 7 1, '' 8 1, '' 9 1, '10 FLOP/B' 10 0, '' 20 1, '' 30 1, '' 40 1, '' 50 1, '' 60 1, '' 70 1, '' 80 1, '' 90 1, '100 FLOP/B' 100 0, '' 200 1, '' 300 1, '' 400 1, '' 500 1, '' 600 1, '' 700 1, '' 800 1, '' 900 1, '1000 FLOP/B' 1000 0, '' 2000 1, '' 3000 1, '' 4000 1, '' 5000 1, '' 6000 1, '' 7000 1, '' 8000 1, '' 9000 1, '10000 FLOP/B' 10000 0)
set ytics ('1 TFLOP/s' 1000000000000 0, '2 TFLOP/s' 2000000000000 0, '' 3000000000000 1, '' 4000000000000 1, '5 TFLOP/s' 5000000000000 0, '' 6000000000000 1, '' 7000000000000 1, '' 8000000000000 1, '' 9000000000000 1, '10 TFLOP/s' 10000000000000 0, '20 TFLOP/s' 20000000000000 0, '' 30000000000000 1, '' 40000000000000 1, '50 TFLOP/s' 50000000000000 0)
set label '' at screen 0.10417,0.88750 point pointtype 7 pointsize 1.4 linewidth 1.8 linecolor rgb '#D55E00'
set label 'L1' at screen 0.11417,0.88750 noenhanced font ',14'
set label '' at screen 0.14853,0.88750 point pointtype 15 pointsize 1.4 linewidth 1.8 linecolor rgb '#56B4E9'
set label 'shared memory' at screen 0.15853,0.88750 noenhanced font ',14'
set label '' at screen 0.26733,0.88750 point pointtype 5 pointsize 1.4 linewidth 1.8 linecolor rgb '#009E73'
set label 'L2' at screen 0.27733,0.88750 noenhanced font ',14'
set label '' at screen 0.31170,0.88750 point pointtype 13 pointsize 1.4 linewidth 1.8 linecolor rgb '#0072B2'
set label 'DRAM' at screen 0.32170,0.88750 noenhanced font ',14'
set label '' at screen 0.36960,0.88750 point pointtype 7 pointsize 1.4 linewidth 1.8 linecolor rgb '#6B6B6B'
set label 'counted by hardware' at screen 0.37960,0.88750 noenhanced font ',14'
set arrow from screen 0.52317,0.88750 to screen 0.54983,0.88750 nohead linewidth 2 linecolor rgb '#6B6B6B' 
set label 'roof, measured' at screen 0.55400,0.88750 noenhanced font ',14'
set arrow from screen 0.66373,0.88750 to screen 0.69040,0.88750 nohead linewidth 2 linecolor rgb '#6B6B6B' dashtype (7,5)
set label 'theoretical' at screen 0.69457,0.88750 noenhanced font ',14'
set arrow from screen 0.74667,0.65137 to screen 0.75833,0.65137 nohead linecolor rgb '#6B6B6B' linewidth 0.7
set label 'FP64 no FMA 16.6 of 16.7 TFLOP/s' at screen 0.76167,0.65137 noenhanced font ',13' textcolor rgb '#6B6B6B'
set arrow from screen 0.74667,0.70631 to screen 0.75833,0.69605 nohead linecolor rgb '#6B6B6B' linewidth 0.7
set label 'FP64 FMA 3 operands 22.1 of 33.5 TFLOP/s' at screen 0.76167,0.69605 noenhanced font ',13' textcolor rgb '#6B6B6B'
set arrow from screen 0.74667,0.72725 to screen 0.75833,0.71980 nohead linecolor rgb '#6B6B6B' linewidth 0.7
set label 'FMA mix v13: 24.6 TFLOP/s' at screen 0.76167,0.71980 noenhanced font ',13' textcolor rgb '#6B6B6B'
set arrow from screen 0.74667,0.73805 to screen 0.75833,0.74355 nohead linecolor rgb '#6B6B6B' linewidth 0.7
set label 'FMA mix v9 v10: 26.0 TFLOP/s' at screen 0.76167,0.74355 noenhanced font ',13' textcolor rgb '#6B6B6B'
set arrow from screen 0.74667,0.76006 to screen 0.75833,0.76730 nohead linecolor rgb '#6B6B6B' linewidth 0.7
set label 'FMA mix v11 v12: 29.1 TFLOP/s' at screen 0.76167,0.76730 noenhanced font ',13' textcolor rgb '#6B6B6B'
set arrow from screen 0.74667,0.78608 to screen 0.75833,0.79105 nohead linecolor rgb '#6B6B6B' linewidth 0.7
set label 'FP64 FMA 33.3 of 33.4 TFLOP/s' at screen 0.76167,0.79105 noenhanced font ',13' textcolor rgb '#000000'

is(item, name) = strcol('item') eq item && strcol('name') eq name
x(item, name) = is(item, name) ? column('flop_per_byte') : NaN
of(source, level) = is('point', level) && strcol('source') eq source ? column('flop_per_byte') : NaN
length(from, to) = column(to) - column(from)

set terminal svg size 1200,800 noenhanced font 'Helvetica,15' background rgb 'white'
set output 'roofline.svg'
plot table using (x('theoretical', 'shared')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#56B4E9' linewidth 1.5 dashtype (7,5) notitle, \
     table using (x('roof', 'shared')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#56B4E9' linewidth 2.8 notitle, \
     table using (x('theoretical', 'l1')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#D55E00' linewidth 1.5 dashtype (7,5) notitle, \
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
     table using (x('arrow', 'shared')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors head filled size screen 0.007,22 linecolor rgb '#9056B4E9' linewidth 1.3 notitle, \
     table using (x('arrow', 'l2')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors head filled size screen 0.007,22 linecolor rgb '#90009E73' linewidth 1.3 notitle, \
     table using (x('leader', 'l2')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#6B6B6B' linewidth 0.7 notitle, \
     table using (x('arrow', 'dram')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors head filled size screen 0.007,22 linecolor rgb '#900072B2' linewidth 1.3 notitle, \
     table using (of('counted', 'l1')):(column('flop_per_s')) with points pointtype 7 pointsize 1.75 linewidth 1.8 linecolor rgb '#FFFFFF' notitle, \
     table using (of('counted', 'l1')):(column('flop_per_s')) with points pointtype 7 pointsize 1.35 linewidth 1.8 linecolor rgb '#D55E00' notitle, \
     table using (of('counted', 'shared')):(column('flop_per_s')) with points pointtype 15 pointsize 1.75 linewidth 1.8 linecolor rgb '#FFFFFF' notitle, \
     table using (of('counted', 'shared')):(column('flop_per_s')) with points pointtype 15 pointsize 1.35 linewidth 1.8 linecolor rgb '#56B4E9' notitle, \
     table using (of('counted', 'l2')):(column('flop_per_s')) with points pointtype 5 pointsize 1.75 linewidth 1.8 linecolor rgb '#FFFFFF' notitle, \
     table using (of('counted', 'l2')):(column('flop_per_s')) with points pointtype 5 pointsize 1.35 linewidth 1.8 linecolor rgb '#009E73' notitle, \
     table using (of('counted', 'dram')):(column('flop_per_s')) with points pointtype 13 pointsize 1.75 linewidth 1.8 linecolor rgb '#FFFFFF' notitle, \
     table using (of('counted', 'dram')):(column('flop_per_s')) with points pointtype 13 pointsize 1.35 linewidth 1.8 linecolor rgb '#0072B2' notitle, \
     table using (x('roof name', 'shared')):(column('flop_per_s')):(strcol('text')) with labels noenhanced rotate by 66.50 textcolor rgb '#56B4E9' notitle, \
     table using (x('roof name', 'l1')):(column('flop_per_s')):(strcol('text')) with labels noenhanced rotate by 66.50 textcolor rgb '#D55E00' notitle, \
     table using (x('roof name', 'l2')):(column('flop_per_s')):(strcol('text')) with labels noenhanced rotate by 66.50 textcolor rgb '#009E73' notitle, \
     table using (x('roof name', 'dram')):(column('flop_per_s')):(strcol('text')) with labels noenhanced rotate by 66.50 textcolor rgb '#0072B2' notitle, \
     table using (x('name', 'l1')):(column('flop_per_s')):(strcol('text')) with labels noenhanced  textcolor rgb '#D55E00' notitle, \
     table using (x('name', 'shared')):(column('flop_per_s')):(strcol('text')) with labels noenhanced  textcolor rgb '#56B4E9' notitle, \
     table using (x('name', 'l2')):(column('flop_per_s')):(strcol('text')) with labels noenhanced  textcolor rgb '#009E73' notitle, \
     table using (x('name', 'dram')):(column('flop_per_s')):(strcol('text')) with labels noenhanced  textcolor rgb '#0072B2' notitle

set terminal pngcairo size 1800,1200 noenhanced font 'Helvetica,15' fontscale 1.110 linewidth 1.5 pointscale 1.5
set output 'roofline.png'
replot
unset output
