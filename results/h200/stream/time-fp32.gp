# Draws time-fp32.svg and time-fp32.png from time-fp32.csv: gnuplot time-fp32.gp
# `taken`: seconds of a step; `needed`: seconds that a level's bytes or the arithmetic take at the measured roof.
reset
set encoding utf8
set datafile separator ','
set datafile columnheaders
table = 'time-fp32.csv'

set lmargin at screen 0.09833
set rmargin at screen 0.97500
set bmargin at screen 0.14286
set tmargin at screen 0.85143
set label 'Time taken and time needed: NVIDIA H200' at screen 0.09833,0.95714 noenhanced font ',22'
set label 'cuda; preset full, seed 1, 1.342e+08 elements; 2026-11-22' at screen 0.09833,0.92000 noenhanced font ',14' textcolor rgb '#6B6B6B'
set border 3 linecolor rgb '#6B6B6B'
set tics nomirror textcolor rgb '#000000'
set grid xtics ytics linetype 1 linecolor rgb '#E8E8E8' linewidth 1
set style textbox opaque noborder fillcolor rgb '#FFFFFF' margins 0.4,0.3
set logscale y
set yrange [1e-06:0.01]
set xrange [0.4:16.6]
unset grid
set grid ytics linetype 1 linecolor rgb '#E8E8E8' linewidth 1
set boxwidth 0.62
set style fill solid 1 noborder
set ytics ('1 µs' 1e-06 0, '2 µs' 2e-06 0, '' 3e-06 1, '' 4e-06 1, '5 µs' 4.9999999999999996e-06 0, '' 6e-06 1, '' 7e-06 1, '' 8e-06 1, '' 9e-06 1, '10 µs' 1e-05 0, '20 µs' 2e-05 0, '' 3.0000000000000004e-05 1, '' 4e-05 1, '50 µs' 5e-05 0, '' 6.000000000000001e-05 1, '' 7.000000000000001e-05 1, '' 8e-05 1, '' 9e-05 1, '100 µs' 0.0001 0, '200 µs' 0.0002 0, '' 0.00030000000000000003 1, '' 0.0004 1, '500 µs' 0.0005 0, '' 0.0006000000000000001 1, '' 0.0007 1, '' 0.0008 1, '' 0.0009000000000000001 1, '1 ms' 0.001 0, '2 ms' 0.002 0, '' 0.003 1, '' 0.004 1, '5 ms' 0.005 0, '' 0.006 1, '' 0.007 1, '' 0.008 1, '' 0.009000000000000001 1, '10 ms' 0.01 0)
set xtics ('add'."\n".'DRAM'."\n".'102%%' 1, 'fma'."\n".'DRAM'."\n".'86%%' 2, 'fma_1024'."\n".'FP32 peak'."\n".'85%%' 3, 'mul'."\n".'DRAM'."\n".'95%%' 4, 'sweep_20'."\n".'DRAM'."\n".'76%%' 5, 'sweep_24'."\n".'DRAM'."\n".'62%%' 6, 'sweep_28'."\n".'DRAM'."\n".'56%%' 7, 'sweep_32'."\n".'FP32 peak'."\n".'55%%' 8, 'sweep_36'."\n".'FP32 peak'."\n".'55%%' 9, 'sweep_40'."\n".'FP32 peak'."\n".'55%%' 10, 'sweep_44'."\n".'FP32 peak'."\n".'58%%' 11, 'sweep_48'."\n".'FP32 peak'."\n".'59%%' 12, 'sweep_52'."\n".'FP32 peak'."\n".'58%%' 13, 'sweep_56'."\n".'FP32 peak'."\n".'58%%' 14, 'sweep_60'."\n".'FP32 peak'."\n".'57%%' 15, 'triad'."\n".'DRAM'."\n".'102%%' 16) noenhanced scale 0 font ',14'
set label '' at screen 0.10417,0.87714 point pointtype 5 pointsize 1.4 linewidth 1.8 linecolor rgb '#D9D9D9'
set label 'time taken' at screen 0.11417,0.87714 noenhanced font ',14'
set label '' at screen 0.20267,0.87714 point pointtype 9 pointsize 1.4 linewidth 1.8 linecolor rgb '#E69F00'
set label 'needed by FP32 peak' at screen 0.21267,0.87714 noenhanced font ',14'
set label '' at screen 0.36207,0.87714 point pointtype 7 pointsize 1.4 linewidth 1.8 linecolor rgb '#D55E00'
set label 'needed by L1' at screen 0.37207,0.87714 noenhanced font ',14'
set label '' at screen 0.47410,0.87714 point pointtype 5 pointsize 1.4 linewidth 1.8 linecolor rgb '#009E73'
set label 'needed by L2' at screen 0.48410,0.87714 noenhanced font ',14'
set label '' at screen 0.58613,0.87714 point pointtype 13 pointsize 1.4 linewidth 1.8 linecolor rgb '#0072B2'
set label 'needed by DRAM' at screen 0.59613,0.87714 noenhanced font ',14'
set label 'Below each step: the longest time needed, and its share of the time taken.' at screen 0.09833,0.03143 noenhanced font ',13' textcolor rgb '#6B6B6B'

taken(source) = strcol('item') eq 'taken' ? column('position') : NaN
needed(need, source) = strcol('item') eq 'needed' && strcol('name') eq need && strcol('source') eq source ? column('position') : NaN

set terminal svg size 1200,700 noenhanced font 'Helvetica,15' background rgb 'white'
set output 'time-fp32.svg'
plot table using (taken('measured')):(column('seconds')) with boxes fillcolor rgb '#D9D9D9' notitle, \
     table using (taken('measured')):(column('seconds')):(strcol('text')) with labels noenhanced offset 0,0.7 font ',14' notitle, \
     table using (needed('compute', 'counted')):(column('seconds')) with points pointtype 9 pointsize 1.75 linewidth 1.8 linecolor rgb '#FFFFFF' notitle, \
     table using (needed('compute', 'counted')):(column('seconds')) with points pointtype 9 pointsize 1.35 linewidth 1.8 linecolor rgb '#E69F00' notitle, \
     table using (needed('l1', 'counted')):(column('seconds')) with points pointtype 7 pointsize 1.75 linewidth 1.8 linecolor rgb '#FFFFFF' notitle, \
     table using (needed('l1', 'counted')):(column('seconds')) with points pointtype 7 pointsize 1.35 linewidth 1.8 linecolor rgb '#D55E00' notitle, \
     table using (needed('l2', 'counted')):(column('seconds')) with points pointtype 5 pointsize 1.75 linewidth 1.8 linecolor rgb '#FFFFFF' notitle, \
     table using (needed('l2', 'counted')):(column('seconds')) with points pointtype 5 pointsize 1.35 linewidth 1.8 linecolor rgb '#009E73' notitle, \
     table using (needed('dram', 'counted')):(column('seconds')) with points pointtype 13 pointsize 1.75 linewidth 1.8 linecolor rgb '#FFFFFF' notitle, \
     table using (needed('dram', 'counted')):(column('seconds')) with points pointtype 13 pointsize 1.35 linewidth 1.8 linecolor rgb '#0072B2' notitle

set terminal pngcairo size 1800,1050 noenhanced font 'Helvetica,15' fontscale 1.110 linewidth 1.5 pointscale 1.5
set output 'time-fp32.png'
replot
unset output
