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
set label 'labels: median times; gpp_si8_medium.dat, 6.206e+07 terms; 2026-11-22' at screen 0.09833,0.92000 noenhanced font ',14' textcolor rgb '#6B6B6B'
set border 3 linecolor rgb '#6B6B6B'
set tics nomirror textcolor rgb '#000000'
set grid xtics ytics linetype 1 linecolor rgb '#E8E8E8' linewidth 1
set style textbox opaque noborder fillcolor rgb '#FFFFFF' margins 0.4,0.3
set logscale y
set yrange [100000000:100000000000]
set xrange [-0.5:10.5]
unset grid
set grid ytics linetype 1 linecolor rgb '#E8E8E8' linewidth 1
set ytics ('100 Mterms/s' 100000000 0, '200 Mterms/s' 200000000 0, '' 300000000 1, '' 400000000 1, '500 Mterms/s' 500000000 0, '' 600000000 1, '' 700000000 1, '' 800000000 1, '' 900000000 1, '1 Gterms/s' 1000000000 0, '2 Gterms/s' 2000000000 0, '' 3000000000 1, '' 4000000000 1, '5 Gterms/s' 5000000000 0, '' 6000000000 1, '' 7000000000 1, '' 8000000000 1, '' 9000000000 1, '10 Gterms/s' 10000000000 0, '20 Gterms/s' 20000000000 0, '' 30000000000 1, '' 40000000000 1, '50 Gterms/s' 50000000000 0, '' 60000000000 1, '' 70000000000 1, '' 80000000000 1, '' 90000000000 1, '100 Gterms/s' 100000000000 0)
set xtics ('v1'."\n".'collapse3' 0, 'v2'."\n".'collapse2' 1, 'v3'."\n".'block512' 2, 'v4'."\n".'iw'."\n".'outside' 3, 'v5'."\n".'swap'."\n".'indices' 4, 'v6'."\n".'simplify' 5, 'v7'."\n".'reciprocal' 6, 'v8'."\n".'power2' 7, 'v9'."\n".'cache'."\n".'blocking' 8, 'v11'."\n".'factored' 9, 'v12'."\n".'real'."\n".'poles' 10) noenhanced scale 0 font ',14'
set arrow from screen 0.09833,0.87714 to screen 0.12500,0.87714 nohead linewidth 2 linecolor rgb '#0072B2' 
set label 'Intel(R) Xeon(R) Processor, omp' at screen 0.12917,0.87714 noenhanced font ',14'
set arrow from screen 0.35393,0.87714 to screen 0.38060,0.87714 nohead linewidth 2 linecolor rgb '#D55E00' 
set label 'Intel(R) Xeon(R) Processor, thrust' at screen 0.38477,0.87714 noenhanced font ',14'
set arrow from screen 0.62983,0.87714 to screen 0.65650,0.87714 nohead linewidth 2 linecolor rgb '#6B6B6B' 
set label 'V100, OpenACC, gpp214 (SC19)' at screen 0.66067,0.87714 noenhanced font ',14'

x(item, ladder) = strcol('item') eq item && strcol('ladder') eq ladder ? column('position') : NaN
length(from, to) = column(to) - column(from)

set terminal svg size 1200,700 noenhanced font 'Helvetica,15' background rgb 'white'
set output 'ladder.svg'
plot table using (x('riser', '2')):(column('terms_per_s')):(length('position', 'to_position')):(length('terms_per_s', 'to_terms_per_s')) with vectors nohead linewidth 1.2 linecolor rgb '#6B6B6B' notitle, \
     table using (x('riser', '1')):(column('terms_per_s')):(length('position', 'to_position')):(length('terms_per_s', 'to_terms_per_s')) with vectors nohead linewidth 1.2 linecolor rgb '#D55E00' notitle, \
     table using (x('riser', '0')):(column('terms_per_s')):(length('position', 'to_position')):(length('terms_per_s', 'to_terms_per_s')) with vectors nohead linewidth 1.2 linecolor rgb '#0072B2' notitle, \
     table using (x('rung', '2')):(column('terms_per_s')):(length('position', 'to_position')):(length('terms_per_s', 'to_terms_per_s')) with vectors nohead linewidth 5 linecolor rgb '#6B6B6B' notitle, \
     table using (x('rung', '1')):(column('terms_per_s')):(length('position', 'to_position')):(length('terms_per_s', 'to_terms_per_s')) with vectors nohead linewidth 5 linecolor rgb '#D55E00' notitle, \
     table using (x('rung', '0')):(column('terms_per_s')):(length('position', 'to_position')):(length('terms_per_s', 'to_terms_per_s')) with vectors nohead linewidth 5 linecolor rgb '#0072B2' notitle, \
     table using (x('label', '0')):(column('terms_per_s')):(strcol('text')) with labels noenhanced font ',14' textcolor rgb '#0072B2' notitle, \
     table using (x('label', '1')):(column('terms_per_s')):(strcol('text')) with labels noenhanced font ',14' textcolor rgb '#D55E00' notitle, \
     table using (x('label', '2')):(column('terms_per_s')):(strcol('text')) with labels noenhanced font ',14' textcolor rgb '#6B6B6B' notitle

set terminal pngcairo size 1800,1050 noenhanced font 'Helvetica,15' fontscale 1.110 linewidth 1.5 pointscale 1.5
set output 'ladder.png'
replot
unset output
