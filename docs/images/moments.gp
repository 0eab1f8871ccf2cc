# Draws moments.svg from the record of gpp214_rank2: gnuplot docs/images/moments.gp, in the project's folder.
# The floor of the FP64 pipe is the time that a step keeps it busy; that of the tensor cores is what the measured peak
# needs for the products.
reset
set encoding utf8
set datafile separator ','
set datafile columnheaders
study = 'results/h200/gpp214_rank2/study.csv'
tensor = 'results/h200/gpp214_rank2/time-fp64_tensor.csv'
set terminal svg size 900,560 font 'DejaVu Sans,15' background '#FFFFFF'
set output 'docs/images/moments.svg'
set border 3 linecolor rgb '#6B6B6B'
set tics nomirror textcolor rgb '#000000'
set xtics ('v11' 0, 'v12' 1, 'v13' 2) scale 0
set grid ytics linetype 1 linecolor rgb '#E8E8E8'
set ylabel 'ms'
set yrange [0:28]
set xrange [-0.6:2.6]
set key top right reverse Left samplen 1.5
set style fill solid 1 noborder
set boxwidth 0.6
set title "v13 passes the floor of v12's FP64 pipe\n{/*0.8 800 empty bands of Si-214 at two frequencies, NVIDIA H200}" font ',18'
ms(seconds) = 1e3 * seconds
is_shown(step) = step eq 'v11' || step eq 'v12' || step eq 'v13'
place(step) = step eq 'v11' ? 0 : step eq 'v12' ? 1 : 2
# The floor of v12 runs on, so that v13 can be held against it.
stats study using (strcol('variant') eq 'v12' ? column('fp64_pipe_percent') / 100 * ms(column('median_s')) : NaN) \
  name 'FLOOR' nooutput
set arrow from 0.7, FLOOR_max to 2.45, FLOOR_max nohead linecolor rgb '#D55E00' dashtype 2 linewidth 2
plot study using (is_shown(strcol('variant')) ? place(strcol('variant')) : NaN):(ms(column('median_s'))) \
       with boxes linecolor rgb '#D9D9D9' title 'time taken', \
     study using (is_shown(strcol('variant')) ? place(strcol('variant')) : NaN):(ms(column('median_s')) - 0.9):(sprintf('%.1f', ms(column('median_s')))) \
       with labels notitle, \
     study using (is_shown(strcol('variant')) && column('fp64_pipe_percent') > 0 ? place(strcol('variant')) : NaN):(column('fp64_pipe_percent') / 100 * ms(column('median_s'))) \
       with points pointtype 9 pointsize 1.4 linecolor rgb '#D55E00' title 'FP64 pipe busy', \
     tensor using (strcol('item') eq 'needed' && strcol('name') eq 'compute' ? place(strcol('text')) : NaN):(ms(column('seconds'))) \
       with points pointtype 7 pointsize 1.2 linecolor rgb '#0072B2' title 'tensor cores at their peak'
