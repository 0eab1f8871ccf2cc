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
set label 'labels: median times; preset gpp214, seed 1, 2.454e+10 terms; 2026-11-23' at screen 0.09833,0.92000 noenhanced font ',14' textcolor rgb '#6B6B6B'
set border 3 linecolor rgb '#6B6B6B'
set tics nomirror textcolor rgb '#000000'
set grid xtics ytics linetype 1 linecolor rgb '#E8E8E8' linewidth 1
set style textbox opaque noborder fillcolor rgb '#FFFFFF' margins 0.4,0.3
set logscale y
set yrange [5000000000:2000000000000]
set xrange [-0.5:12.5]
unset grid
set grid ytics linetype 1 linecolor rgb '#E8E8E8' linewidth 1
set ytics ('5 Gterms/s' 5000000000 0, '' 6000000000 1, '' 7000000000 1, '' 8000000000 1, '' 9000000000 1, '10 Gterms/s' 10000000000 0, '20 Gterms/s' 20000000000 0, '' 30000000000 1, '' 40000000000 1, '50 Gterms/s' 50000000000 0, '' 60000000000 1, '' 70000000000 1, '' 80000000000 1, '' 90000000000 1, '100 Gterms/s' 100000000000 0, '200 Gterms/s' 200000000000 0, '' 300000000000 1, '' 400000000000 1, '500 Gterms/s' 500000000000 0, '' 600000000000 1, '' 700000000000 1, '' 800000000000 1, '' 900000000000 1, '1 Tterms/s' 1000000000000 0, '2 Tterms/s' 2000000000000 0)
set xtics ('v1'."\n".'collapse3' 0, 'v2'."\n".'collapse2' 1, 'v3'."\n".'block512' 2, 'v4'."\n".'iw'."\n".'outside' 3, 'v5'."\n".'swap'."\n".'indices' 4, 'v6'."\n".'simplify' 5, 'v7'."\n".'reciprocal' 6, 'v8'."\n".'power2' 7, 'v9'."\n".'cache'."\n".'blocking' 8, 'v10'."\n".'shared'."\n".'memory' 9, 'v11'."\n".'factored' 10, 'v12'."\n".'real'."\n".'poles' 11, 'v13'."\n".'moments' 12) noenhanced scale 0 font ',14'
set arrow from screen 0.09833,0.87714 to screen 0.12500,0.87714 nohead linewidth 2 linecolor rgb '#0072B2' 
set label 'NVIDIA H200, cuda' at screen 0.12917,0.87714 noenhanced font ',14'
set arrow from screen 0.25920,0.87714 to screen 0.28587,0.87714 nohead linewidth 2 linecolor rgb '#6B6B6B' 
set label 'V100, OpenACC, gpp214 (SC19)' at screen 0.29003,0.87714 noenhanced font ',14'

x(item, ladder) = strcol('item') eq item && strcol('ladder') eq ladder ? column('position') : NaN
length(from, to) = column(to) - column(from)

set terminal svg size 1200,700 noenhanced font 'Helvetica,15' background rgb 'white'
set output 'ladder.svg'
plot table using (x('riser', '1')):(column('terms_per_s')):(length('position', 'to_position')):(length('terms_per_s', 'to_terms_per_s')) with vectors nohead linewidth 1.2 linecolor rgb '#6B6B6B' notitle, \
     table using (x('riser', '0')):(column('terms_per_s')):(length('position', 'to_position')):(length('terms_per_s', 'to_terms_per_s')) with vectors nohead linewidth 1.2 linecolor rgb '#0072B2' notitle, \
     table using (x('rung', '1')):(column('terms_per_s')):(length('position', 'to_position')):(length('terms_per_s', 'to_terms_per_s')) with vectors nohead linewidth 5 linecolor rgb '#6B6B6B' notitle, \
     table using (x('rung', '0')):(column('terms_per_s')):(length('position', 'to_position')):(length('terms_per_s', 'to_terms_per_s')) with vectors nohead linewidth 5 linecolor rgb '#0072B2' notitle, \
     table using (x('label', '0')):(column('terms_per_s')):(strcol('text')) with labels noenhanced font ',14' textcolor rgb '#0072B2' notitle, \
     table using (x('label', '1')):(column('terms_per_s')):(strcol('text')) with labels noenhanced font ',14' textcolor rgb '#6B6B6B' notitle

set terminal pngcairo size 1800,1050 noenhanced font 'Helvetica,15' fontscale 1.110 linewidth 1.5 pointscale 1.5
set output 'ladder.png'
replot
unset output
