# Draws time.svg and time.png from time.csv: gnuplot time.gp
# `taken`: seconds of a step; `needed`: seconds that a level's bytes or the arithmetic take at the measured roof.
reset
set encoding utf8
set datafile separator ','
set datafile columnheaders
table = 'time.csv'

set lmargin at screen 0.09833
set rmargin at screen 0.97500
set bmargin at screen 0.14286
set tmargin at screen 0.85143
set label 'Time taken and time needed: NVIDIA H200' at screen 0.09833,0.95714 noenhanced font ',22'
set label 'cuda; preset gpp214, seed 1, 2.454e+10 terms; 2026-11-23' at screen 0.09833,0.92000 noenhanced font ',14' textcolor rgb '#6B6B6B'
set border 3 linecolor rgb '#6B6B6B'
set tics nomirror textcolor rgb '#000000'
set grid xtics ytics linetype 1 linecolor rgb '#E8E8E8' linewidth 1
set style textbox opaque noborder fillcolor rgb '#FFFFFF' margins 0.4,0.3
set logscale y
set yrange [0.0002:0.5]
set xrange [0.4:8.6]
unset grid
set grid ytics linetype 1 linecolor rgb '#E8E8E8' linewidth 1
set boxwidth 0.62
set style fill solid 1 noborder
set ytics ('200 µs' 0.0002 0, '' 0.00030000000000000003 1, '' 0.0004 1, '500 µs' 0.0005 0, '' 0.0006000000000000001 1, '' 0.0007 1, '' 0.0008 1, '' 0.0009000000000000001 1, '1 ms' 0.001 0, '2 ms' 0.002 0, '' 0.003 1, '' 0.004 1, '5 ms' 0.005 0, '' 0.006 1, '' 0.007 1, '' 0.008 1, '' 0.009000000000000001 1, '10 ms' 0.01 0, '20 ms' 0.02 0, '' 0.03 1, '' 0.04 1, '50 ms' 0.05 0, '' 0.06 1, '' 0.07 1, '' 0.08 1, '' 0.09 1, '100 ms' 0.1 0, '200 ms' 0.2 0, '' 0.30000000000000004 1, '' 0.4 1, '500 ms' 0.5 0)
set xtics ('sc20_1'."\n".'DRAM'."\n".'58%%' 1, 'sc20_2'."\n".'DRAM'."\n".'64%%' 2, 'sc20_3'."\n".'DRAM'."\n".'63%%' 3, 'sc20_4'."\n".'DRAM'."\n".'72%%' 4, 'sc20_5'."\n".'FP64 peak'."\n".'40%%' 5, 'sc20_6'."\n".'FP64 peak'."\n".'45%%' 6, 'v9'."\n".'FP64 peak'."\n".'42%%' 7, 'v10'."\n".'FP64 peak'."\n".'46%%' 8) noenhanced scale 0 font ',14'
set label '' at screen 0.10417,0.87714 point pointtype 5 pointsize 1.4 linewidth 1.8 linecolor rgb '#D9D9D9'
set label 'time taken' at screen 0.11417,0.87714 noenhanced font ',14'
set label '' at screen 0.20267,0.87714 point pointtype 9 pointsize 1.4 linewidth 1.8 linecolor rgb '#E69F00'
set label 'needed by FP64 peak' at screen 0.21267,0.87714 noenhanced font ',14'
set label '' at screen 0.36207,0.87714 point pointtype 7 pointsize 1.4 linewidth 1.8 linecolor rgb '#D55E00'
set label 'needed by L1' at screen 0.37207,0.87714 noenhanced font ',14'
set label '' at screen 0.47410,0.87714 point pointtype 15 pointsize 1.4 linewidth 1.8 linecolor rgb '#56B4E9'
set label 'needed by shared memory' at screen 0.48410,0.87714 noenhanced font ',14'
set label '' at screen 0.66057,0.87714 point pointtype 5 pointsize 1.4 linewidth 1.8 linecolor rgb '#009E73'
set label 'needed by L2' at screen 0.67057,0.87714 noenhanced font ',14'
set label '' at screen 0.77260,0.87714 point pointtype 13 pointsize 1.4 linewidth 1.8 linecolor rgb '#0072B2'
set label 'needed by DRAM' at screen 0.78260,0.87714 noenhanced font ',14'
set label 'Below each step: the longest time needed, and its share of the time taken.' at screen 0.09833,0.03143 noenhanced font ',13' textcolor rgb '#6B6B6B'

taken(source) = strcol('item') eq 'taken' ? column('position') : NaN
needed(need, source) = strcol('item') eq 'needed' && strcol('name') eq need && strcol('source') eq source ? column('position') : NaN

set terminal svg size 1200,700 noenhanced font 'Helvetica,15' background rgb 'white'
set output 'time.svg'
plot table using (taken('measured')):(column('seconds')) with boxes fillcolor rgb '#D9D9D9' notitle, \
     table using (taken('measured')):(column('seconds')):(strcol('text')) with labels noenhanced offset 0,0.7 font ',14' notitle, \
     table using (needed('compute', 'counted')):(column('seconds')) with points pointtype 9 pointsize 1.75 linewidth 1.8 linecolor rgb '#FFFFFF' notitle, \
     table using (needed('compute', 'counted')):(column('seconds')) with points pointtype 9 pointsize 1.35 linewidth 1.8 linecolor rgb '#E69F00' notitle, \
     table using (needed('l1', 'counted')):(column('seconds')) with points pointtype 7 pointsize 1.75 linewidth 1.8 linecolor rgb '#FFFFFF' notitle, \
     table using (needed('l1', 'counted')):(column('seconds')) with points pointtype 7 pointsize 1.35 linewidth 1.8 linecolor rgb '#D55E00' notitle, \
     table using (needed('shared', 'counted')):(column('seconds')) with points pointtype 15 pointsize 1.75 linewidth 1.8 linecolor rgb '#FFFFFF' notitle, \
     table using (needed('shared', 'counted')):(column('seconds')) with points pointtype 15 pointsize 1.35 linewidth 1.8 linecolor rgb '#56B4E9' notitle, \
     table using (needed('l2', 'counted')):(column('seconds')) with points pointtype 5 pointsize 1.75 linewidth 1.8 linecolor rgb '#FFFFFF' notitle, \
     table using (needed('l2', 'counted')):(column('seconds')) with points pointtype 5 pointsize 1.35 linewidth 1.8 linecolor rgb '#009E73' notitle, \
     table using (needed('dram', 'counted')):(column('seconds')) with points pointtype 13 pointsize 1.75 linewidth 1.8 linecolor rgb '#FFFFFF' notitle, \
     table using (needed('dram', 'counted')):(column('seconds')) with points pointtype 13 pointsize 1.35 linewidth 1.8 linecolor rgb '#0072B2' notitle

set terminal pngcairo size 1800,1050 noenhanced font 'Helvetica,15' fontscale 1.110 linewidth 1.5 pointscale 1.5
set output 'time.png'
replot
unset output
