# Draws published-arxiv.svg and published-arxiv.png from published-arxiv.csv: gnuplot published-arxiv.gp
# `rung`: the speedup of a step over the first; `riser`: from one to the next; `label`: its number.
reset
set encoding utf8
set datafile separator ','
set datafile columnheaders
table = 'published-arxiv.csv'

set lmargin at screen 0.09833
set rmargin at screen 0.98333
set bmargin at screen 0.14857
set tmargin at screen 0.85143
set label 'arXiv:2008.11326: a baseline and eight steps in OpenACC: speedup over gpp0' at screen 0.09833,0.95714 noenhanced font ',22'
set label 'preset gpp214, seed 1, 2.454e+10 terms; 2026-11-23' at screen 0.09833,0.92000 noenhanced font ',14' textcolor rgb '#6B6B6B'
set border 3 linecolor rgb '#6B6B6B'
set tics nomirror textcolor rgb '#000000'
set grid xtics ytics linetype 1 linecolor rgb '#E8E8E8' linewidth 1
set style textbox opaque noborder fillcolor rgb '#FFFFFF' margins 0.4,0.3
set logscale y
set yrange [0.5:5]
set xrange [-0.5:8.5]
unset grid
set grid ytics linetype 1 linecolor rgb '#E8E8E8' linewidth 1
set ytics ('0.5x' 0.5 0, '' 0.6000000000000001 1, '' 0.7000000000000001 1, '' 0.8 1, '' 0.9 1, '1x' 1 0, '2x' 2 0, '' 3 1, '' 4 1, '5x' 5 0)
set xtics ('gpp0'."\n".'all three loops'."\n".'parallel' 0, 'gpp1'."\n".'divisions become'."\n".'reciprocals' 1, 'gpp2'."\n".'fewer branches' 2, 'gpp3'."\n".'absolute values'."\n".'become squares' 3, 'gpp4'."\n".'bands inside'."\n".'each thread' 4, 'gpp5'."\n".'iw outside the'."\n".'kernel' 5, 'gpp6'."\n".'ig and n1'."\n".'blocked, as'."\n".'strides' 6, 'gpp7'."\n".'indices of wx'."\n".'and aqsm swapped' 7, 'gpp8'."\n".'32 threads per'."\n".'block' 8) noenhanced scale 0 font ',14'
set arrow from screen 0.09833,0.87714 to screen 0.12500,0.87714 nohead linewidth 2 linecolor rgb '#0072B2' 
set label 'NVIDIA H200, cuda' at screen 0.12917,0.87714 noenhanced font ',14'

x(item, ladder) = strcol('item') eq item && strcol('ladder') eq ladder ? column('position') : NaN
length(from, to) = column(to) - column(from)

set terminal svg size 1200,700 noenhanced font 'Helvetica,15' background rgb 'white'
set output 'published-arxiv.svg'
plot table using (x('riser', '0')):(column('speedup')):(length('position', 'to_position')):(length('speedup', 'to_speedup')) with vectors nohead linewidth 1.2 linecolor rgb '#0072B2' notitle, \
     table using (x('rung', '0')):(column('speedup')):(length('position', 'to_position')):(length('speedup', 'to_speedup')) with vectors nohead linewidth 5 linecolor rgb '#0072B2' notitle, \
     table using (x('label', '0')):(column('speedup')):(strcol('text')) with labels noenhanced font ',14' textcolor rgb '#0072B2' notitle

set terminal pngcairo size 1800,1050 noenhanced font 'Helvetica,15' fontscale 1.110 linewidth 1.5 pointscale 1.5
set output 'published-arxiv.png'
replot
unset output
