# Draws docs/ladder.svg from the committed record of the H200 and the published V100 times.
# Run from the repository's root: gnuplot docs/ladder.gp
set terminal svg size 900,460 font "Helvetica,14" background rgb "white"
set output "docs/ladder.svg"
set datafile separator ","

cuda = "< grep ',cuda,' results/h200/gpp214/study.csv"
published = "< grep '^v[1-9]' results/published/sc19-v100.csv"

set title "Sigma-GPP, gpp214: terms per second, step by step"
set ylabel "terms per second"
set logscale y
set yrange [1e10:2e12]
set format y "10^{%T}"
set xrange [-0.6:11.6]
set xtics nomirror rotate by -35 scale 0 noenhanced
set ytics nomirror
set mytics 10
set grid ytics lc rgb "#dddddd" lt 1
set border 3
set key top left
set boxwidth 0.38
set style fill solid 1.0 noborder

terms = 2.45422e10
plot published using ($0 - 0.2):(terms / $4) with boxes lc rgb "#e69f00" \
       title "published: V100, OpenACC (SC19)", \
     cuda using ($0 + 0.2):16:xtic(stringcolumn(3)." ".stringcolumn(4)) with boxes \
       lc rgb "#0072b2" title "here: H200, CUDA"
