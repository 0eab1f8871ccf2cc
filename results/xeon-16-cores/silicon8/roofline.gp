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
set label 'Hierarchical roofline: Intel(R) Xeon(R) Processor' at screen 0.09833,0.96250 noenhanced font ',22'
set label 'omp; gpp_si8_medium.dat, 6.206e+07 terms; 2026-11-22' at screen 0.09833,0.93000 noenhanced font ',14' textcolor rgb '#6B6B6B'
set border 3 linecolor rgb '#6B6B6B'
set tics nomirror textcolor rgb '#000000'
set grid xtics ytics linetype 1 linecolor rgb '#E8E8E8' linewidth 1
set style textbox opaque noborder fillcolor rgb '#FFFFFF' margins 0.4,0.3
set logscale xy
set xrange [0.01:10000]
set yrange [10000000000:2000000000000]
set xlabel 'arithmetic intensity: FLOP per byte moved at each level'
set xtics ('0.01 FLOP/B' 0.01 0, '' 0.02 1, '' 0.03 1, '' 0.04 1, '' 0.05 1, '' 0.06 1, '' 0.07 1, '' 0.08 1, '' 0.09 1, '0.1 FLOP/B' 0.1 0, '' 0.2 1, '' 0.30000000000000004 1, '' 0.4 1, '' 0.5 1, '' 0.6000000000000001 1, '' 0.7000000000000001 1, '' 0.8 1, '' 0.9 1, '1 FLOP/B' 1 0, '' 2 1, '' 3 1, '' 4 1, '' 5 1, '' 6 1, '' 7 1, '' 8 1, '' 9 1, '10 FLOP/B' 10 0, '' 20 1, '' 30 1, '' 40 1, '' 50 1, '' 60 1, '' 70 1, '' 80 1, '' 90 1, '100 FLOP/B' 100 0, '' 200 1, '' 300 1, '' 400 1, '' 500 1, '' 600 1, '' 700 1, '' 800 1, '' 900 1, '1000 FLOP/B' 1000 0, '' 2000 1, '' 3000 1, '' 4000 1, '' 5000 1, '' 6000 1, '' 7000 1, '' 8000 1, '' 9000 1, '10000 FLOP/B' 10000 0)
set ytics ('10 GFLOP/s' 10000000000 0, '20 GFLOP/s' 20000000000 0, '' 30000000000 1, '' 40000000000 1, '50 GFLOP/s' 50000000000 0, '' 60000000000 1, '' 70000000000 1, '' 80000000000 1, '' 90000000000 1, '100 GFLOP/s' 100000000000 0, '200 GFLOP/s' 200000000000 0, '' 300000000000 1, '' 400000000000 1, '500 GFLOP/s' 500000000000 0, '' 600000000000 1, '' 700000000000 1, '' 800000000000 1, '' 900000000000 1, '1 TFLOP/s' 1000000000000 0, '2 TFLOP/s' 2000000000000 0)
set label '' at screen 0.10417,0.88750 point pointtype 6 pointsize 1.4 linewidth 1.8 linecolor rgb '#D55E00'
set label 'L1' at screen 0.11417,0.88750 noenhanced font ',14'
set label '' at screen 0.14853,0.88750 point pointtype 4 pointsize 1.4 linewidth 1.8 linecolor rgb '#009E73'
set label 'L2' at screen 0.15853,0.88750 noenhanced font ',14'
set label '' at screen 0.19290,0.88750 point pointtype 10 pointsize 1.4 linewidth 1.8 linecolor rgb '#CC79A7'
set label 'L3' at screen 0.20290,0.88750 noenhanced font ',14'
set label '' at screen 0.23727,0.88750 point pointtype 12 pointsize 1.4 linewidth 1.8 linecolor rgb '#0072B2'
set label 'DRAM' at screen 0.24727,0.88750 noenhanced font ',14'
set label '' at screen 0.29517,0.88750 point pointtype 6 pointsize 1.4 linewidth 1.8 linecolor rgb '#6B6B6B'
set label 'analytic, not counted' at screen 0.30517,0.88750 noenhanced font ',14'
set arrow from screen 0.46227,0.88750 to screen 0.48893,0.88750 nohead linewidth 2 linecolor rgb '#6B6B6B' 
set label 'roof, measured' at screen 0.49310,0.88750 noenhanced font ',14'
set arrow from screen 0.60283,0.88750 to screen 0.62950,0.88750 nohead linewidth 2 linecolor rgb '#6B6B6B' dashtype (7,5)
set label 'theoretical' at screen 0.63367,0.88750 noenhanced font ',14'
set arrow from screen 0.74667,0.41522 to screen 0.75833,0.41522 nohead linecolor rgb '#6B6B6B' linewidth 0.7
set label 'FP64 scalar FMA 86.9 of 179 GFLOP/s' at screen 0.76167,0.41522 noenhanced font ',13' textcolor rgb '#6B6B6B'
set arrow from screen 0.74667,0.44886 to screen 0.75833,0.44886 nohead linecolor rgb '#6B6B6B' linewidth 0.7
set label 'FP64 scalar no FMA 110 of 134 GFLOP/s' at screen 0.76167,0.44886 noenhanced font ',13' textcolor rgb '#6B6B6B'
set arrow from screen 0.74667,0.51463 to screen 0.75833,0.51463 nohead linecolor rgb '#6B6B6B' linewidth 0.7
set label 'FP64 128-bit FMA 174 of 358 GFLOP/s' at screen 0.76167,0.51463 noenhanced font ',13' textcolor rgb '#6B6B6B'
set arrow from screen 0.74667,0.61352 to screen 0.75833,0.60298 nohead linecolor rgb '#6B6B6B' linewidth 0.7
set label 'FP64 256-bit FMA 346 of 717 GFLOP/s' at screen 0.76167,0.60298 noenhanced font ',13' textcolor rgb '#6B6B6B'
set arrow from screen 0.74667,0.61619 to screen 0.75833,0.62673 nohead linecolor rgb '#6B6B6B' linewidth 0.7
set label 'FP64 512-bit no FMA 353 of 717 GFLOP/s' at screen 0.76167,0.62673 noenhanced font ',13' textcolor rgb '#6B6B6B'
set arrow from screen 0.74667,0.71628 to screen 0.75833,0.71628 nohead linecolor rgb '#6B6B6B' linewidth 0.7
set label 'FP64 512-bit FMA 709 GFLOP/s of 1.43 TFLOP/s' at screen 0.76167,0.71628 noenhanced font ',13' textcolor rgb '#000000'

is(item, name) = strcol('item') eq item && strcol('name') eq name
x(item, name) = is(item, name) ? column('flop_per_byte') : NaN
of(source, level) = is('point', level) && strcol('source') eq source ? column('flop_per_byte') : NaN
length(from, to) = column(to) - column(from)

set terminal svg size 1200,800 noenhanced font 'Helvetica,15' background rgb 'white'
set output 'roofline.svg'
plot table using (x('theoretical', 'l1')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#D55E00' linewidth 1.5 dashtype (7,5) notitle, \
     table using (x('roof', 'l1')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#D55E00' linewidth 2.8 notitle, \
     table using (x('theoretical', 'l2')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#009E73' linewidth 1.5 dashtype (7,5) notitle, \
     table using (x('roof', 'l2')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#009E73' linewidth 2.8 notitle, \
     table using (x('roof', 'l3')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#CC79A7' linewidth 2.8 notitle, \
     table using (x('roof', 'dram')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#0072B2' linewidth 2.8 notitle, \
     table using (x('theoretical', 'fp64_fma')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#000000' linewidth 1.5 dashtype (7,5) notitle, \
     table using (x('roof', 'fp64_fma')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#000000' linewidth 2.8 notitle, \
     table using (x('theoretical', 'fp64_scalar_fma')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#6B6B6B' linewidth 0.8 dashtype (7,5) notitle, \
     table using (x('thin roof', 'fp64_scalar_fma')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#6B6B6B' linewidth 1 notitle, \
     table using (x('theoretical', 'fp64_128_fma')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#6B6B6B' linewidth 0.8 dashtype (7,5) notitle, \
     table using (x('thin roof', 'fp64_128_fma')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#6B6B6B' linewidth 1 notitle, \
     table using (x('theoretical', 'fp64_256_fma')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#6B6B6B' linewidth 0.8 dashtype (7,5) notitle, \
     table using (x('thin roof', 'fp64_256_fma')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#6B6B6B' linewidth 1 notitle, \
     table using (x('theoretical', 'fp64_no_fma')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#6B6B6B' linewidth 0.8 dashtype (7,5) notitle, \
     table using (x('thin roof', 'fp64_no_fma')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#6B6B6B' linewidth 1 notitle, \
     table using (x('theoretical', 'fp64_scalar_no_fma')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#6B6B6B' linewidth 0.8 dashtype (7,5) notitle, \
     table using (x('thin roof', 'fp64_scalar_no_fma')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#6B6B6B' linewidth 1 notitle, \
     table using (x('arrow', 'l1')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors head filled size screen 0.007,22 linecolor rgb '#90D55E00' linewidth 1.3 notitle, \
     table using (x('leader', 'l1')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#6B6B6B' linewidth 0.7 notitle, \
     table using (x('arrow', 'l2')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors head filled size screen 0.007,22 linecolor rgb '#90009E73' linewidth 1.3 notitle, \
     table using (x('leader', 'l2')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#6B6B6B' linewidth 0.7 notitle, \
     table using (x('arrow', 'l3')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors head filled size screen 0.007,22 linecolor rgb '#90CC79A7' linewidth 1.3 notitle, \
     table using (x('arrow', 'dram')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors head filled size screen 0.007,22 linecolor rgb '#900072B2' linewidth 1.3 notitle, \
     table using (x('leader', 'dram')):(column('flop_per_s')):(length('flop_per_byte', 'to_flop_per_byte')):(length('flop_per_s', 'to_flop_per_s')) with vectors nohead linecolor rgb '#6B6B6B' linewidth 0.7 notitle, \
     table using (of('analytic', 'l1')):(column('flop_per_s')) with points pointtype 7 pointsize 1.5 linewidth 1.8 linecolor rgb '#FFFFFF' notitle, \
     table using (of('analytic', 'l1')):(column('flop_per_s')) with points pointtype 6 pointsize 1.4 linewidth 1.8 linecolor rgb '#D55E00' notitle, \
     table using (of('analytic', 'l2')):(column('flop_per_s')) with points pointtype 5 pointsize 1.5 linewidth 1.8 linecolor rgb '#FFFFFF' notitle, \
     table using (of('analytic', 'l2')):(column('flop_per_s')) with points pointtype 4 pointsize 1.4 linewidth 1.8 linecolor rgb '#009E73' notitle, \
     table using (of('analytic', 'l3')):(column('flop_per_s')) with points pointtype 11 pointsize 1.5 linewidth 1.8 linecolor rgb '#FFFFFF' notitle, \
     table using (of('analytic', 'l3')):(column('flop_per_s')) with points pointtype 10 pointsize 1.4 linewidth 1.8 linecolor rgb '#CC79A7' notitle, \
     table using (of('analytic', 'dram')):(column('flop_per_s')) with points pointtype 13 pointsize 1.5 linewidth 1.8 linecolor rgb '#FFFFFF' notitle, \
     table using (of('analytic', 'dram')):(column('flop_per_s')) with points pointtype 12 pointsize 1.4 linewidth 1.8 linecolor rgb '#0072B2' notitle, \
     table using (x('roof name', 'l1')):(column('flop_per_s')):(strcol('text')) with labels noenhanced rotate by 63.86 textcolor rgb '#D55E00' notitle, \
     table using (x('roof name', 'l2')):(column('flop_per_s')):(strcol('text')) with labels noenhanced rotate by 63.86 textcolor rgb '#009E73' notitle, \
     table using (x('roof name', 'l3')):(column('flop_per_s')):(strcol('text')) with labels noenhanced rotate by 63.86 textcolor rgb '#CC79A7' notitle, \
     table using (x('roof name', 'dram')):(column('flop_per_s')):(strcol('text')) with labels noenhanced rotate by 63.86 textcolor rgb '#0072B2' notitle, \
     table using (x('name', 'l1')):(column('flop_per_s')):(strcol('text')) with labels noenhanced  textcolor rgb '#D55E00' notitle, \
     table using (x('name', 'l2')):(column('flop_per_s')):(strcol('text')) with labels noenhanced  textcolor rgb '#009E73' notitle, \
     table using (x('name', 'l3')):(column('flop_per_s')):(strcol('text')) with labels noenhanced  textcolor rgb '#CC79A7' notitle, \
     table using (x('name', 'dram')):(column('flop_per_s')):(strcol('text')) with labels noenhanced  textcolor rgb '#0072B2' notitle

set terminal pngcairo size 1800,1200 noenhanced font 'Helvetica,15' fontscale 1.110 linewidth 1.5 pointscale 1.5
set output 'roofline.png'
replot
unset output
