# Draws roofline-fp32.svg and roofline-fp32.png from roofline-fp32.csv: gnuplot roofline-fp32.gp
# One line of the table is one thing drawn: `item` says what, `name` of which level or roof.
reset
set encoding utf8
set datafile separator ','
set datafile columnheaders
table = 'roofline-fp32.csv'

set lmargin at screen 0.09833
set rmargin at screen 0.74667
set bmargin at screen 0.10500
set tmargin at screen 0.86500
set label 'Hierarchical roofline: Intel(R) Xeon(R) Processor' at screen 0.09833,0.96250 noenhanced font ',22'
set label 'omp; preset full, seed 1, 1.342e+08 elements; 2026-11-22' at screen 0.09833,0.93000 noenhanced font ',14' textcolor rgb '#6B6B6B'
set border 3 linecolor rgb '#6B6B6B'
set tics nomirror textcolor rgb '#000000'
set grid xtics ytics linetype 1 linecolor rgb '#E8E8E8' linewidth 1
set style textbox opaque noborder fillcolor rgb '#FFFFFF' margins 0.4,0.3
set logscale xy
set xrange [0.01:1000]
set yrange [500000000:500000000000]
set xlabel 'arithmetic intensity: FLOP per byte moved at each level'
set xtics ('0.01 FLOP/B' 0.01 0, '' 0.02 1, '' 0.03 1, '' 0.04 1, '' 0.05 1, '' 0.06 1, '' 0.07 1, '' 0.08 1, '' 0.09 1, '0.1 FLOP/B' 0.1 0, '' 0.2 1, '' 0.30000000000000004 1, '' 0.4 1, '' 0.5 1, '' 0.6000000000000001 1, '' 0.7000000000000001 1, '' 0.8 1, '' 0.9 1, '1 FLOP/B' 1 0, '' 2 1, '' 3 1, '' 4 1, '' 5 1, '' 6 1, '' 7 1, '' 8 1, '' 9 1, '10 FLOP/B' 10 0, '' 20 1, '' 30 1, '' 40 1, '' 50 1, '' 60 1, '' 70 1, '' 80 1, '' 90 1, '100 FLOP/B' 100 0, '' 200 1, '' 300 1, '' 400 1, '' 500 1, '' 600 1, '' 700 1, '' 800 1, '' 900 1, '1000 FLOP/B' 1000 0)
set ytics ('500 MFLOP/s' 500000000 0, '' 600000000 1, '' 700000000 1, '' 800000000 1, '' 900000000 1, '1 GFLOP/s' 1000000000 0, '2 GFLOP/s' 2000000000 0, '' 3000000000 1, '' 4000000000 1, '5 GFLOP/s' 5000000000 0, '' 6000000000 1, '' 7000000000 1, '' 8000000000 1, '' 9000000000 1, '10 GFLOP/s' 10000000000 0, '20 GFLOP/s' 20000000000 0, '' 30000000000 1, '' 40000000000 1, '50 GFLOP/s' 50000000000 0, '' 60000000000 1, '' 70000000000 1, '' 80000000000 1, '' 90000000000 1, '100 GFLOP/s' 100000000000 0, '200 GFLOP/s' 200000000000 0, '' 300000000000 1, '' 400000000000 1, '500 GFLOP/s' 500000000000 0)
set label '' at screen 0.10417,0.88750 point pointtype 12 pointsize 1.4 linewidth 1.8 linecolor rgb '#0072B2'
set label 'DRAM' at screen 0.11417,0.88750 noenhanced font ',14'
set label '' at screen 0.16207,0.88750 point pointtype 6 pointsize 1.4 linewidth 1.8 linecolor rgb '#6B6B6B'
set label 'analytic, not counted' at screen 0.17207,0.88750 noenhanced font ',14'
set arrow from screen 0.32917,0.88750 to screen 0.35583,0.88750 nohead linewidth 2 linecolor rgb '#6B6B6B' 
set label 'roof, measured' at screen 0.36000,0.88750 noenhanced font ',14'
set arrow from screen 0.74667,0.81078 to screen 0.75833,0.81078 nohead linecolor rgb '#6B6B6B' linewidth 0.7
set label 'FP32 FMA 305 GFLOP/s' at screen 0.76167,0.81078 noenhanced font ',13' textcolor rgb '#000000'

is(item, name) = strcol('item') eq item && strcol('name') eq name
x(item, name) = is(item, name) ? column('flop_per_byte') : NaN
of(source, level) = is('point', level) && strcol('source') eq source ? column('flop_per_byte') : NaN
length(from, to) = column(to) - column(from)

set terminal svg size 1200,800 noenhanced font 'Helvetica,15' background rgb 'white'
set output 'roofline-fp32.svg'
plot table using (x('thin roof', 'l1')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#6B6B6B' linewidth 1 notitle, \
     table using (x('thin roof', 'l2')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#6B6B6B' linewidth 1 notitle, \
     table using (x('thin roof', 'l3')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#6B6B6B' linewidth 1 notitle, \
     table using (x('roof', 'dram')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#0072B2' linewidth 2.8 notitle, \
     table using (x('roof', 'fp32_fma')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#000000' linewidth 2.8 notitle, \
     table using (x('arrow', 'dram')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors head filled size screen 0.007,22 linecolor rgb '#900072B2' linewidth 1.3 notitle, \
     table using (x('leader', 'dram')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#6B6B6B' linewidth 0.7 notitle, \
     table using (of('analytic', 'dram')):(column('flop_per_s')) with points pointtype 13 pointsize 1.5 linewidth 1.8 linecolor rgb '#FFFFFF' notitle, \
     table using (of('analytic', 'dram')):(column('flop_per_s')) with points pointtype 12 pointsize 1.4 linewidth 1.8 linecolor rgb '#0072B2' notitle, \
     table using (x('thin roof name', 'l1')):(column('flop_per_s')):(strcol('text')) with labels noenhanced rotate by 52.48 textcolor rgb '#6B6B6B' notitle, \
     table using (x('thin roof name', 'l2')):(column('flop_per_s')):(strcol('text')) with labels noenhanced rotate by 52.48 textcolor rgb '#6B6B6B' notitle, \
     table using (x('thin roof name', 'l3')):(column('flop_per_s')):(strcol('text')) with labels noenhanced rotate by 52.48 textcolor rgb '#6B6B6B' notitle, \
     table using (x('roof name', 'dram')):(column('flop_per_s')):(strcol('text')) with labels noenhanced rotate by 52.48 textcolor rgb '#0072B2' notitle, \
     table using (x('name', 'dram')):(column('flop_per_s')):(strcol('text')) with labels noenhanced  textcolor rgb '#0072B2' notitle

set terminal pngcairo size 1800,1200 noenhanced font 'Helvetica,15' fontscale 1.110 linewidth 1.5 pointscale 1.5
set output 'roofline-fp32.png'
replot
unset output
