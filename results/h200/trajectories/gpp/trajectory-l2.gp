# Draws trajectory-l2.svg and trajectory-l2.png from trajectory-l2.csv: gnuplot trajectory-l2.gp
# One line of the table is one thing drawn: `item` says what, `name` of which curve, or on how many units.
reset
set encoding utf8
set datafile separator ','
set datafile columnheaders
table = 'trajectory-l2.csv'

set lmargin at screen 0.09833
set rmargin at screen 0.78833
set bmargin at screen 0.10500
set tmargin at screen 0.83750
set label 'Trajectories at L2 over multiprocessors: NVIDIA H200' at screen 0.09833,0.96250 noenhanced font ',22'
set label 'gpp; silicon8, gpp214; 2026-11-23' at screen 0.09833,0.93000 noenhanced font ',14' textcolor rgb '#6B6B6B'
set border 3 linecolor rgb '#6B6B6B'
set tics nomirror textcolor rgb '#000000'
set grid xtics ytics linetype 1 linecolor rgb '#E8E8E8' linewidth 1
set style textbox opaque noborder fillcolor rgb '#FFFFFF' margins 0.4,0.3
set logscale xy
set xrange [0.1:100]
set yrange [200000000000:50000000000000]
set xlabel 'intensity at L2: FLOP/B'
set xtics ('0.1 FLOP/B' 0.1 0, '' 0.2 1, '' 0.30000000000000004 1, '' 0.4 1, '' 0.5 1, '' 0.6000000000000001 1, '' 0.7000000000000001 1, '' 0.8 1, '' 0.9 1, '1 FLOP/B' 1 0, '' 2 1, '' 3 1, '' 4 1, '' 5 1, '' 6 1, '' 7 1, '' 8 1, '' 9 1, '10 FLOP/B' 10 0, '' 20 1, '' 30 1, '' 40 1, '' 50 1, '' 60 1, '' 70 1, '' 80 1, '' 90 1, '100 FLOP/B' 100 0)
set ytics ('200 GFLOP/s' 200000000000 0, '' 300000000000 1, '' 400000000000 1, '500 GFLOP/s' 500000000000 0, '' 600000000000 1, '' 700000000000 1, '' 800000000000 1, '' 900000000000 1, '1 TFLOP/s' 1000000000000 0, '2 TFLOP/s' 2000000000000 0, '' 3000000000000 1, '' 4000000000000 1, '5 TFLOP/s' 5000000000000 0, '' 6000000000000 1, '' 7000000000000 1, '' 8000000000000 1, '' 9000000000000 1, '10 TFLOP/s' 10000000000000 0, '20 TFLOP/s' 20000000000000 0, '' 30000000000000 1, '' 40000000000000 1, '50 TFLOP/s' 50000000000000 0)
set arrow from screen 0.09833,0.88750 to screen 0.12500,0.88750 nohead linewidth 2 linecolor rgb '#0072B2' dashtype 1
set label 'v1 silicon8' at screen 0.12917,0.88750 noenhanced font ',14'
set arrow from screen 0.21860,0.88750 to screen 0.24527,0.88750 nohead linewidth 2 linecolor rgb '#D55E00' dashtype 1
set label 'v9 silicon8' at screen 0.24943,0.88750 noenhanced font ',14'
set arrow from screen 0.33887,0.88750 to screen 0.36553,0.88750 nohead linewidth 2 linecolor rgb '#009E73' dashtype 1
set label 'v12 silicon8' at screen 0.36970,0.88750 noenhanced font ',14'
set arrow from screen 0.46590,0.88750 to screen 0.49257,0.88750 nohead linewidth 2 linecolor rgb '#0072B2' dashtype (9,5)
set label 'v1 gpp214' at screen 0.49673,0.88750 noenhanced font ',14'
set arrow from screen 0.57263,0.88750 to screen 0.59930,0.88750 nohead linewidth 2 linecolor rgb '#D55E00' dashtype (9,5)
set label 'v9 gpp214' at screen 0.60347,0.88750 noenhanced font ',14'
set arrow from screen 0.67937,0.88750 to screen 0.70603,0.88750 nohead linewidth 2 linecolor rgb '#009E73' dashtype (9,5)
set label 'v12 gpp214' at screen 0.71020,0.88750 noenhanced font ',14'
set label '' at screen 0.79870,0.88750 point pointtype 7 pointsize 1.4 linewidth 1.8 linecolor rgb '#6B6B6B'
set label 'counted by hardware' at screen 0.80870,0.88750 noenhanced font ',14'
set arrow from screen 0.09833,0.86000 to screen 0.12500,0.86000 nohead linewidth 2 linecolor rgb '#B0B0B0' 
set label 'roofs, measured on each number' at screen 0.12917,0.86000 noenhanced font ',14'
set label '8: 2.02 TFLOP/s, 1.27 TB/s' at screen 0.79833,0.41203 noenhanced font ',13' textcolor rgb '#6B6B6B'
set label '16: 4.04 TFLOP/s, 2.52 TB/s' at screen 0.79833,0.50379 noenhanced font ',13' textcolor rgb '#6B6B6B'
set label '32: 8.06 TFLOP/s, 4.97 TB/s' at screen 0.79833,0.59545 noenhanced font ',13' textcolor rgb '#6B6B6B'
set label '48: 12.1 TFLOP/s, 7.44 TB/s' at screen 0.79833,0.64953 noenhanced font ',13' textcolor rgb '#6B6B6B'
set label '64: 16.1 TFLOP/s, 9.27 TB/s' at screen 0.79833,0.68757 noenhanced font ',13' textcolor rgb '#6B6B6B'
set label '80: 20.2 TFLOP/s, 8.53 TB/s' at screen 0.79833,0.71547 noenhanced font ',13' textcolor rgb '#6B6B6B'
set label '96: 24.3 TFLOP/s, 8.09 TB/s' at screen 0.79833,0.73922 noenhanced font ',13' textcolor rgb '#6B6B6B'
set label '112: 28.3 TFLOP/s, 8.61 TB/s' at screen 0.79833,0.76297 noenhanced font ',13' textcolor rgb '#6B6B6B'
set label '132: 33.3 TFLOP/s, 9.20 TB/s' at screen 0.79833,0.78672 noenhanced font ',13' textcolor rgb '#6B6B6B'

is(item, name) = strcol('item') eq item && strcol('name') eq name
x(item, name) = is(item, name) ? column('intensity') : NaN
of(source, name) = is('point', name) && strcol('source') eq source ? column('intensity') : NaN
length(from, to) = column(to) - column(from)

set terminal svg size 1200,800 noenhanced font 'Helvetica,15' background rgb 'white'
set output 'trajectory-l2.svg'
plot table using (x('roof', '8')):(column('rate')):(length('intensity', 'to_intensity')):(length('rate', 'to_rate')) with vectors nohead linecolor rgb '#B0B0B0' linewidth 1.2 notitle, \
     table using (x('roof', '16')):(column('rate')):(length('intensity', 'to_intensity')):(length('rate', 'to_rate')) with vectors nohead linecolor rgb '#B0B0B0' linewidth 1.2 notitle, \
     table using (x('roof', '32')):(column('rate')):(length('intensity', 'to_intensity')):(length('rate', 'to_rate')) with vectors nohead linecolor rgb '#B0B0B0' linewidth 1.2 notitle, \
     table using (x('roof', '48')):(column('rate')):(length('intensity', 'to_intensity')):(length('rate', 'to_rate')) with vectors nohead linecolor rgb '#B0B0B0' linewidth 1.2 notitle, \
     table using (x('roof', '64')):(column('rate')):(length('intensity', 'to_intensity')):(length('rate', 'to_rate')) with vectors nohead linecolor rgb '#B0B0B0' linewidth 1.2 notitle, \
     table using (x('roof', '80')):(column('rate')):(length('intensity', 'to_intensity')):(length('rate', 'to_rate')) with vectors nohead linecolor rgb '#B0B0B0' linewidth 1.2 notitle, \
     table using (x('roof', '96')):(column('rate')):(length('intensity', 'to_intensity')):(length('rate', 'to_rate')) with vectors nohead linecolor rgb '#B0B0B0' linewidth 1.2 notitle, \
     table using (x('roof', '112')):(column('rate')):(length('intensity', 'to_intensity')):(length('rate', 'to_rate')) with vectors nohead linecolor rgb '#B0B0B0' linewidth 1.2 notitle, \
     table using (x('roof', '132')):(column('rate')):(length('intensity', 'to_intensity')):(length('rate', 'to_rate')) with vectors nohead linecolor rgb '#000000' linewidth 2.4 notitle, \
     table using (x('leader', 'curve 1')):(column('rate')):(length('intensity', 'to_intensity')):(length('rate', 'to_rate')) with vectors nohead linecolor rgb '#0072B2' linewidth 0.8 notitle, \
     table using (x('leader', 'curve 2')):(column('rate')):(length('intensity', 'to_intensity')):(length('rate', 'to_rate')) with vectors nohead linecolor rgb '#D55E00' linewidth 0.8 notitle, \
     table using (x('leader', 'curve 3')):(column('rate')):(length('intensity', 'to_intensity')):(length('rate', 'to_rate')) with vectors nohead linecolor rgb '#009E73' linewidth 0.8 notitle, \
     table using (x('leader', 'curve 5')):(column('rate')):(length('intensity', 'to_intensity')):(length('rate', 'to_rate')) with vectors nohead linecolor rgb '#D55E00' linewidth 0.8 notitle, \
     table using (x('line', 'curve 1')):(column('rate')):(length('intensity', 'to_intensity')):(length('rate', 'to_rate')) with vectors nohead linecolor rgb '#0072B2' linewidth 2 dashtype 1 notitle, \
     table using (x('line', 'curve 2')):(column('rate')):(length('intensity', 'to_intensity')):(length('rate', 'to_rate')) with vectors nohead linecolor rgb '#D55E00' linewidth 2 dashtype 1 notitle, \
     table using (x('line', 'curve 3')):(column('rate')):(length('intensity', 'to_intensity')):(length('rate', 'to_rate')) with vectors nohead linecolor rgb '#009E73' linewidth 2 dashtype 1 notitle, \
     table using (x('line', 'curve 4')):(column('rate')):(length('intensity', 'to_intensity')):(length('rate', 'to_rate')) with vectors nohead linecolor rgb '#0072B2' linewidth 2 dashtype (9,5) notitle, \
     table using (x('line', 'curve 5')):(column('rate')):(length('intensity', 'to_intensity')):(length('rate', 'to_rate')) with vectors nohead linecolor rgb '#D55E00' linewidth 2 dashtype (9,5) notitle, \
     table using (x('line', 'curve 6')):(column('rate')):(length('intensity', 'to_intensity')):(length('rate', 'to_rate')) with vectors nohead linecolor rgb '#009E73' linewidth 2 dashtype (9,5) notitle, \
     table using (of('counted', 'curve 1')):(column('rate')) with points pointtype 7 pointsize 1.5 linewidth 1.8 linecolor rgb '#FFFFFF' notitle, \
     table using (of('counted', 'curve 1')):(column('rate')) with points pointtype 7 pointsize 1.2 linewidth 1.8 linecolor rgb '#0072B2' notitle, \
     table using (of('counted', 'curve 2')):(column('rate')) with points pointtype 7 pointsize 1.5 linewidth 1.8 linecolor rgb '#FFFFFF' notitle, \
     table using (of('counted', 'curve 2')):(column('rate')) with points pointtype 7 pointsize 1.2 linewidth 1.8 linecolor rgb '#D55E00' notitle, \
     table using (of('counted', 'curve 3')):(column('rate')) with points pointtype 7 pointsize 1.5 linewidth 1.8 linecolor rgb '#FFFFFF' notitle, \
     table using (of('counted', 'curve 3')):(column('rate')) with points pointtype 7 pointsize 1.2 linewidth 1.8 linecolor rgb '#009E73' notitle, \
     table using (of('counted', 'curve 4')):(column('rate')) with points pointtype 7 pointsize 1.5 linewidth 1.8 linecolor rgb '#FFFFFF' notitle, \
     table using (of('counted', 'curve 4')):(column('rate')) with points pointtype 7 pointsize 1.2 linewidth 1.8 linecolor rgb '#0072B2' notitle, \
     table using (of('counted', 'curve 5')):(column('rate')) with points pointtype 7 pointsize 1.5 linewidth 1.8 linecolor rgb '#FFFFFF' notitle, \
     table using (of('counted', 'curve 5')):(column('rate')) with points pointtype 7 pointsize 1.2 linewidth 1.8 linecolor rgb '#D55E00' notitle, \
     table using (of('counted', 'curve 6')):(column('rate')) with points pointtype 7 pointsize 1.5 linewidth 1.8 linecolor rgb '#FFFFFF' notitle, \
     table using (of('counted', 'curve 6')):(column('rate')) with points pointtype 7 pointsize 1.2 linewidth 1.8 linecolor rgb '#009E73' notitle, \
     table using (x('name', 'curve 1')):(column('rate')):(strcol('text')) with labels boxed noenhanced font ',13' textcolor rgb '#0072B2' notitle, \
     table using (x('name', 'curve 2')):(column('rate')):(strcol('text')) with labels boxed noenhanced font ',13' textcolor rgb '#D55E00' notitle, \
     table using (x('name', 'curve 3')):(column('rate')):(strcol('text')) with labels boxed noenhanced font ',13' textcolor rgb '#009E73' notitle, \
     table using (x('name', 'curve 4')):(column('rate')):(strcol('text')) with labels boxed noenhanced font ',13' textcolor rgb '#0072B2' notitle, \
     table using (x('name', 'curve 5')):(column('rate')):(strcol('text')) with labels boxed noenhanced font ',13' textcolor rgb '#D55E00' notitle, \
     table using (x('name', 'curve 6')):(column('rate')):(strcol('text')) with labels boxed noenhanced font ',13' textcolor rgb '#009E73' notitle

set terminal pngcairo size 1800,1200 noenhanced font 'Helvetica,15' fontscale 1.110 linewidth 1.5 pointscale 1.5
set output 'trajectory-l2.png'
replot
unset output
