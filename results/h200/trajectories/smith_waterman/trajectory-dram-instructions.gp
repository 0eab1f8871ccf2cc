# Draws trajectory-dram-instructions.svg and trajectory-dram-instructions.png from trajectory-dram-instructions.csv: gnuplot trajectory-dram-instructions.gp
# One line of the table is one thing drawn: `item` says what, `name` of which curve, or on how many units.
reset
set encoding utf8
set datafile separator ','
set datafile columnheaders
table = 'trajectory-dram-instructions.csv'

set lmargin at screen 0.09833
set rmargin at screen 0.78833
set bmargin at screen 0.10500
set tmargin at screen 0.86500
set label 'Trajectories at DRAM over multiprocessors: NVIDIA H200' at screen 0.09833,0.96250 noenhanced font ',22'
set label 'smith_waterman; medium; 2026-11-23' at screen 0.09833,0.93000 noenhanced font ',14' textcolor rgb '#6B6B6B'
set border 3 linecolor rgb '#6B6B6B'
set tics nomirror textcolor rgb '#000000'
set grid xtics ytics linetype 1 linecolor rgb '#E8E8E8' linewidth 1
set style textbox opaque noborder fillcolor rgb '#FFFFFF' margins 0.4,0.3
set logscale xy
set xrange [0.1:1000]
set yrange [5000000000:2000000000000]
set xlabel 'intensity at DRAM: inst/txn'
set xtics ('0.1 inst/txn' 0.1 0, '' 0.2 1, '' 0.30000000000000004 1, '' 0.4 1, '' 0.5 1, '' 0.6000000000000001 1, '' 0.7000000000000001 1, '' 0.8 1, '' 0.9 1, '1 inst/txn' 1 0, '' 2 1, '' 3 1, '' 4 1, '' 5 1, '' 6 1, '' 7 1, '' 8 1, '' 9 1, '10 inst/txn' 10 0, '' 20 1, '' 30 1, '' 40 1, '' 50 1, '' 60 1, '' 70 1, '' 80 1, '' 90 1, '100 inst/txn' 100 0, '' 200 1, '' 300 1, '' 400 1, '' 500 1, '' 600 1, '' 700 1, '' 800 1, '' 900 1, '1000 inst/txn' 1000 0)
set ytics ('5 GIPS' 5000000000 0, '' 6000000000 1, '' 7000000000 1, '' 8000000000 1, '' 9000000000 1, '10 GIPS' 10000000000 0, '20 GIPS' 20000000000 0, '' 30000000000 1, '' 40000000000 1, '50 GIPS' 50000000000 0, '' 60000000000 1, '' 70000000000 1, '' 80000000000 1, '' 90000000000 1, '100 GIPS' 100000000000 0, '200 GIPS' 200000000000 0, '' 300000000000 1, '' 400000000000 1, '500 GIPS' 500000000000 0, '' 600000000000 1, '' 700000000000 1, '' 800000000000 1, '' 900000000000 1, '1 TIPS' 1000000000000 0, '2 TIPS' 2000000000000 0)
set arrow from screen 0.09833,0.88750 to screen 0.12500,0.88750 nohead linewidth 2 linecolor rgb '#0072B2' dashtype 1
set label 'v2' at screen 0.12917,0.88750 noenhanced font ',14'
set arrow from screen 0.15770,0.88750 to screen 0.18437,0.88750 nohead linewidth 2 linecolor rgb '#D55E00' dashtype 1
set label 'v6' at screen 0.18853,0.88750 noenhanced font ',14'
set label '' at screen 0.22290,0.88750 point pointtype 7 pointsize 1.4 linewidth 1.8 linecolor rgb '#6B6B6B'
set label 'counted by hardware' at screen 0.23290,0.88750 noenhanced font ',14'
set arrow from screen 0.37647,0.88750 to screen 0.40313,0.88750 nohead linewidth 2 linecolor rgb '#B0B0B0' 
set label 'roofs, measured on each number' at screen 0.40730,0.88750 noenhanced font ',14'
set label '8: 59.5 GIPS, 32.8 Gtxn/s' at screen 0.79833,0.41918 noenhanced font ',13' textcolor rgb '#6B6B6B'
set label '16: 119 GIPS, 63.2 Gtxn/s' at screen 0.79833,0.50722 noenhanced font ',13' textcolor rgb '#6B6B6B'
set label '32: 238 GIPS, 104 Gtxn/s' at screen 0.79833,0.59498 noenhanced font ',13' textcolor rgb '#6B6B6B'
set label '48: 357 GIPS, 136 Gtxn/s' at screen 0.79833,0.64657 noenhanced font ',13' textcolor rgb '#6B6B6B'
set label '64: 477 GIPS, 144 Gtxn/s' at screen 0.79833,0.68316 noenhanced font ',13' textcolor rgb '#6B6B6B'
set label '80: 596 GIPS, 144 Gtxn/s' at screen 0.79833,0.70807 noenhanced font ',13' textcolor rgb '#6B6B6B'
set label '96: 715 GIPS, 146 Gtxn/s' at screen 0.79833,0.73182 noenhanced font ',13' textcolor rgb '#6B6B6B'
set label '112: 834 GIPS, 147 Gtxn/s' at screen 0.79833,0.75557 noenhanced font ',13' textcolor rgb '#6B6B6B'
set label '132: 982 GIPS, 146 Gtxn/s' at screen 0.79833,0.77932 noenhanced font ',13' textcolor rgb '#6B6B6B'

is(item, name) = strcol('item') eq item && strcol('name') eq name
x(item, name) = is(item, name) ? column('intensity') : NaN
of(source, name) = is('point', name) && strcol('source') eq source ? column('intensity') : NaN
length(from, to) = column(to) - column(from)

set terminal svg size 1200,800 noenhanced font 'Helvetica,15' background rgb 'white'
set output 'trajectory-dram-instructions.svg'
plot table using (x('roof', '8')):(column('rate')):(length('intensity', 'to_intensity')):(length('rate', 'to_rate')) with vectors nohead linecolor rgb '#B0B0B0' linewidth 1.2 notitle, \
     table using (x('roof', '16')):(column('rate')):(length('intensity', 'to_intensity')):(length('rate', 'to_rate')) with vectors nohead linecolor rgb '#B0B0B0' linewidth 1.2 notitle, \
     table using (x('roof', '32')):(column('rate')):(length('intensity', 'to_intensity')):(length('rate', 'to_rate')) with vectors nohead linecolor rgb '#B0B0B0' linewidth 1.2 notitle, \
     table using (x('roof', '48')):(column('rate')):(length('intensity', 'to_intensity')):(length('rate', 'to_rate')) with vectors nohead linecolor rgb '#B0B0B0' linewidth 1.2 notitle, \
     table using (x('roof', '64')):(column('rate')):(length('intensity', 'to_intensity')):(length('rate', 'to_rate')) with vectors nohead linecolor rgb '#B0B0B0' linewidth 1.2 notitle, \
     table using (x('roof', '80')):(column('rate')):(length('intensity', 'to_intensity')):(length('rate', 'to_rate')) with vectors nohead linecolor rgb '#B0B0B0' linewidth 1.2 notitle, \
     table using (x('roof', '96')):(column('rate')):(length('intensity', 'to_intensity')):(length('rate', 'to_rate')) with vectors nohead linecolor rgb '#B0B0B0' linewidth 1.2 notitle, \
     table using (x('roof', '112')):(column('rate')):(length('intensity', 'to_intensity')):(length('rate', 'to_rate')) with vectors nohead linecolor rgb '#B0B0B0' linewidth 1.2 notitle, \
     table using (x('roof', '132')):(column('rate')):(length('intensity', 'to_intensity')):(length('rate', 'to_rate')) with vectors nohead linecolor rgb '#000000' linewidth 2.4 notitle, \
     table using (x('line', 'curve 1')):(column('rate')):(length('intensity', 'to_intensity')):(length('rate', 'to_rate')) with vectors nohead linecolor rgb '#0072B2' linewidth 2 dashtype 1 notitle, \
     table using (x('line', 'curve 2')):(column('rate')):(length('intensity', 'to_intensity')):(length('rate', 'to_rate')) with vectors nohead linecolor rgb '#D55E00' linewidth 2 dashtype 1 notitle, \
     table using (of('counted', 'curve 1')):(column('rate')) with points pointtype 7 pointsize 1.5 linewidth 1.8 linecolor rgb '#FFFFFF' notitle, \
     table using (of('counted', 'curve 1')):(column('rate')) with points pointtype 7 pointsize 1.2 linewidth 1.8 linecolor rgb '#0072B2' notitle, \
     table using (of('counted', 'curve 2')):(column('rate')) with points pointtype 7 pointsize 1.5 linewidth 1.8 linecolor rgb '#FFFFFF' notitle, \
     table using (of('counted', 'curve 2')):(column('rate')) with points pointtype 7 pointsize 1.2 linewidth 1.8 linecolor rgb '#D55E00' notitle, \
     table using (x('name', 'curve 1')):(column('rate')):(strcol('text')) with labels boxed noenhanced font ',13' textcolor rgb '#0072B2' notitle, \
     table using (x('name', 'curve 2')):(column('rate')):(strcol('text')) with labels boxed noenhanced font ',13' textcolor rgb '#D55E00' notitle

set terminal pngcairo size 1800,1200 noenhanced font 'Helvetica,15' fontscale 1.110 linewidth 1.5 pointscale 1.5
set output 'trajectory-dram-instructions.png'
replot
unset output
