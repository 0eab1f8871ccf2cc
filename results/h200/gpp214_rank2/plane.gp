# Draws plane.svg and plane.png from plane.csv: gnuplot plane.gp
# `complexity`: seconds of operations and bytes at the roofs; `taken`: the run time on the same intensity.
reset
set encoding utf8
set datafile separator ','
set datafile columnheaders
table = 'plane.csv'

set lmargin at screen 0.11000
set rmargin at screen 0.95833
set bmargin at screen 0.12558
set tmargin at screen 0.87442
set label 'Time plane: NVIDIA H200' at screen 0.11000,0.96512 noenhanced font ',22'
set label 'cuda; preset gpp214_rank2, seed 1, 2.454e+10 terms; 2026-11-23' at screen 0.11000,0.93488 noenhanced font ',14' textcolor rgb '#6B6B6B'
set border 3 linecolor rgb '#6B6B6B'
set tics nomirror textcolor rgb '#000000'
set grid xtics ytics linetype 1 linecolor rgb '#E8E8E8' linewidth 1
set style textbox opaque noborder fillcolor rgb '#FFFFFF' margins 0.4,0.3
unset grid
set logscale xy
set xrange [4.9999999999999996e-06:0.2]
set yrange [4.9999999999999996e-06:0.2]
set xlabel 'compute time: FP64 operations at 33.3 TFLOP/s'
set ylabel 'bandwidth time: bytes of DRAM at 4.68 TB/s'
set xtics ('' 4.9999999999999996e-06 1, '' 6e-06 1, '' 7e-06 1, '' 8e-06 1, '' 9e-06 1, '10 µs' 1e-05 0, '' 2e-05 1, '' 3.0000000000000004e-05 1, '' 4e-05 1, '' 5e-05 1, '' 6.000000000000001e-05 1, '' 7.000000000000001e-05 1, '' 8e-05 1, '' 9e-05 1, '100 µs' 0.0001 0, '' 0.0002 1, '' 0.00030000000000000003 1, '' 0.0004 1, '' 0.0005 1, '' 0.0006000000000000001 1, '' 0.0007 1, '' 0.0008 1, '' 0.0009000000000000001 1, '1 ms' 0.001 0, '' 0.002 1, '' 0.003 1, '' 0.004 1, '' 0.005 1, '' 0.006 1, '' 0.007 1, '' 0.008 1, '' 0.009000000000000001 1, '10 ms' 0.01 0, '' 0.02 1, '' 0.03 1, '' 0.04 1, '' 0.05 1, '' 0.06 1, '' 0.07 1, '' 0.08 1, '' 0.09 1, '100 ms' 0.1 0, '' 0.2 1)
set ytics ('5 µs' 4.9999999999999996e-06 0, '' 6e-06 1, '' 7e-06 1, '' 8e-06 1, '' 9e-06 1, '10 µs' 1e-05 0, '20 µs' 2e-05 0, '' 3.0000000000000004e-05 1, '' 4e-05 1, '50 µs' 5e-05 0, '' 6.000000000000001e-05 1, '' 7.000000000000001e-05 1, '' 8e-05 1, '' 9e-05 1, '100 µs' 0.0001 0, '200 µs' 0.0002 0, '' 0.00030000000000000003 1, '' 0.0004 1, '500 µs' 0.0005 0, '' 0.0006000000000000001 1, '' 0.0007 1, '' 0.0008 1, '' 0.0009000000000000001 1, '1 ms' 0.001 0, '2 ms' 0.002 0, '' 0.003 1, '' 0.004 1, '5 ms' 0.005 0, '' 0.006 1, '' 0.007 1, '' 0.008 1, '' 0.009000000000000001 1, '10 ms' 0.01 0, '20 ms' 0.02 0, '' 0.03 1, '' 0.04 1, '50 ms' 0.05 0, '' 0.06 1, '' 0.07 1, '' 0.08 1, '' 0.09 1, '100 ms' 0.1 0, '200 ms' 0.2 0)
set object rectangle from first 4.9999999999999996e-06,4.9999999999999996e-06 to first 1.1648896217346191e-05,1.1648896217346191e-05 behind fillcolor rgb '#D9D9D9' fillstyle transparent solid 0.5 border linecolor rgb '#6B6B6B'
set object rectangle from first 4.9999999999999996e-06,4.9999999999999996e-06 to first 2.3297792434692383e-05,2.3297792434692383e-05 behind fillcolor rgb '#D9D9D9' fillstyle transparent solid 0.5 border linecolor rgb '#6B6B6B'
set label '' at screen 0.11583,0.89535 point pointtype 13 pointsize 1.4 linewidth 1.8 linecolor rgb '#0072B2'
set label 'operations and bytes, at the roofs' at screen 0.12583,0.89535 noenhanced font ',14'
set label '' at screen 0.37673,0.89535 point pointtype 12 pointsize 1.4 linewidth 1.8 linecolor rgb '#0072B2'
set label 'time taken' at screen 0.38673,0.89535 noenhanced font ',14'
set arrow from screen 0.46940,0.89535 to screen 0.49607,0.89535 nohead linewidth 2 linecolor rgb '#D9D9D9' 
set label 'equal run time' at screen 0.50023,0.89535 noenhanced font ',14'
set arrow from screen 0.60997,0.89535 to screen 0.63663,0.89535 nohead linewidth 2 linecolor rgb '#6B6B6B' dashtype (7,5)
set label 'both times equal' at screen 0.64080,0.89535 noenhanced font ',14'
set label '' at screen 0.76990,0.89535 point pointtype 5 pointsize 1.4 linewidth 1.8 linecolor rgb '#D9D9D9'
set label 'taken by launches alone' at screen 0.77990,0.89535 noenhanced font ',14'
set label '' at screen 0.11000,0.02326 noenhanced font ',13' textcolor rgb '#6B6B6B'

of(item) = strcol('item') eq item ? column('compute_s') : NaN
length(from, to) = column(to) - column(from)

set terminal svg size 1200,860 noenhanced font 'Helvetica,15' background rgb 'white'
set output 'plane.svg'
plot table using (of('run time')):(column('bandwidth_s')):(length('compute_s', 'to_compute_s')):(length('bandwidth_s', 'to_bandwidth_s')) with vectors nohead linecolor rgb '#D9D9D9' linewidth 1.2 notitle, \
     table using (of('balance')):(column('bandwidth_s')):(length('compute_s', 'to_compute_s')):(length('bandwidth_s', 'to_bandwidth_s')) with vectors nohead linecolor rgb '#6B6B6B' linewidth 1.4 dashtype (7,5) notitle, \
     table using (of('link')):(column('bandwidth_s')):(length('compute_s', 'to_compute_s')):(length('bandwidth_s', 'to_bandwidth_s')) with vectors nohead linecolor rgb '#900072B2' linewidth 1.2 notitle, \
     table using (of('complexity')):(column('bandwidth_s')) with points pointtype 13 pointsize 1.75 linewidth 1.8 linecolor rgb '#FFFFFF' notitle, \
     table using (of('complexity')):(column('bandwidth_s')) with points pointtype 13 pointsize 1.35 linewidth 1.8 linecolor rgb '#0072B2' notitle, \
     table using (of('taken')):(column('bandwidth_s')) with points pointtype 13 pointsize 1.5 linewidth 1.8 linecolor rgb '#FFFFFF' notitle, \
     table using (of('taken')):(column('bandwidth_s')) with points pointtype 12 pointsize 1.4 linewidth 1.8 linecolor rgb '#0072B2' notitle, \
     table using (of('box line')):(column('bandwidth_s')):(length('compute_s', 'to_compute_s')):(length('bandwidth_s', 'to_bandwidth_s')) with vectors nohead linecolor rgb '#6B6B6B' linewidth 0.7 notitle, \
     table using (of('box name')):(column('bandwidth_s')):(strcol('text')) with labels noenhanced left font ',13' textcolor rgb '#6B6B6B' notitle, \
     table using (of('name')):(column('bandwidth_s')):(strcol('text')) with labels noenhanced font ',15' textcolor rgb '#0072B2' notitle

set terminal pngcairo size 1800,1290 noenhanced font 'Helvetica,15' fontscale 1.110 linewidth 1.5 pointscale 1.5
set output 'plane.png'
replot
unset output
