# Draws ladder.svg and ladder.png from ladder.csv: gnuplot ladder.gp
# `rung`: the speed of a step; `riser`: from one to the next; `label`: its time.
reset
set encoding utf8
set datafile separator ','
set datafile columnheaders
table = 'ladder.csv'

set lmargin at screen 0.09833
set rmargin at screen 0.98333
set bmargin at screen 0.14857
set tmargin at screen 0.85143
set label 'Sigma-GPP step by step: terms per second' at screen 0.09833,0.95714 noenhanced font ',22'
set label 'labels: median times; preset gpp214, seed 1, whole, 1.569e+12 terms; 2026-11-23' at screen 0.09833,0.92000 noenhanced font ',14' textcolor rgb '#6B6B6B'
set border 3 linecolor rgb '#6B6B6B'
set tics nomirror textcolor rgb '#000000'
set grid xtics ytics linetype 1 linecolor rgb '#E8E8E8' linewidth 1
set style textbox opaque noborder fillcolor rgb '#FFFFFF' margins 0.4,0.3
set logscale y
set yrange [1000000000000:5000000000000]
set xrange [-0.5:0.5]
unset grid
set grid ytics linetype 1 linecolor rgb '#E8E8E8' linewidth 1
set ytics ('1 Tterms/s' 1000000000000 0, '2 Tterms/s' 2000000000000 0, '' 3000000000000 1, '' 4000000000000 1, '5 Tterms/s' 5000000000000 0)
set xtics ('v13'."\n".'moments' 0) noenhanced scale 0 font ',14'
set arrow from screen 0.09833,0.87714 to screen 0.12500,0.87714 nohead linewidth 2 linecolor rgb '#0072B2' 
set label 'NVIDIA H200, cuda' at screen 0.12917,0.87714 noenhanced font ',14'

x(item, ladder) = strcol('item') eq item && strcol('ladder') eq ladder ? column('position') : NaN
length(from, to) = column(to) - column(from)

set terminal svg size 1200,700 noenhanced font 'Helvetica,15' background rgb 'white'
set output 'ladder.svg'
plot table using (x('rung', '0')):(column('terms_per_s')):(length('position', 'to_position')):(length('terms_per_s', 'to_terms_per_s')) with vectors nohead linewidth 5 linecolor rgb '#0072B2' notitle, \
     table using (x('label', '0')):(column('terms_per_s')):(strcol('text')) with labels noenhanced font ',14' textcolor rgb '#0072B2' notitle

set terminal pngcairo size 1800,1050 noenhanced font 'Helvetica,15' fontscale 1.110 linewidth 1.5 pointscale 1.5
set output 'ladder.png'
replot
unset output
