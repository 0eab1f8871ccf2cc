! Writes a small gpp214 file the way the original Fortran program dumps one: record after record
! with unformatted sequential writes. Every number is exact in double precision, so that the file
! is the same bit for bit whichever compiler and machine made it.
!
!   gfortran write_fixture.f90 -o write_fixture && ./write_fixture fixture.dat
!   gfortran -fmax-subrecord-length=100 ...        fixture_subrecords.dat
program write_fixture
  use, intrinsic :: iso_fortran_env, only: int32, real64
  implicit none

  integer(int32), parameter :: sig_ntband = 9, gvec_ng = 13, ncoul = 8
  integer(int32), parameter :: epsmpi_ngpown_max = 5, peinf_ntband_max = 6
  integer(int32), parameter :: peinf_ntband_dist = 4, ipe = 2, ispin = 1, ngpown = 3, ncouls = 7
  integer(int32), parameter :: nstart = 1, nend = 3, sig_fdf = 2, nvband = 5
  complex(real64) :: asxtemp(3), achtemp(3), asxtempref(3), achtempref(3)
  integer(int32) :: indinv(gvec_ng), i
  character(len=4096) :: path

  call get_command_argument(1, path)
  indinv = [(modulo(3 * i, 10), i = 1, gvec_ng)]
  do i = 1, 3
    asxtemp(i) = cmplx(i, 0.25d0, real64)
    achtemp(i) = cmplx(i, 0.5d0, real64)
    asxtempref(i) = cmplx(-i, 0.75d0, real64)
    achtempref(i) = cmplx(-i, 1.25d0, real64)
  end do

  open (21, file=trim(path), form='unformatted', status='replace', action='write')
  write (21) sig_ntband, gvec_ng, ncoul, epsmpi_ngpown_max, peinf_ntband_max
  write (21) peinf_ntband_dist, ipe, ispin, ngpown, ncouls
  write (21) [1_int32, 3_int32, 5_int32, 9_int32, 0_int32, 0_int32]
  write (21) [(-2d0 + 0.5d0 * i, i = 1, sig_ntband)]
  write (21) nstart, nend, sig_fdf, 1d0, 0.5d0, 0.75d0
  write (21) [2_int32, 5_int32, 8_int32, 0_int32, 0_int32]
  write (21) gvec_ng, indinv
  write (21) matrix(ncouls, peinf_ntband_max, 0.125d0)
  write (21) nvband, 2d0**(-17), 0.25d0
  write (21) [(1d0 / 2**i, i = 1, ncoul)]
  write (21) 4d0, 0.25d0, 250000d0
  write (21) matrix(ncouls, ngpown, 16d0)
  write (21) matrix(ncouls, ngpown, 0.0625d0)
  write (21) matrix(ncouls, peinf_ntband_max, 0.375d0)
  write (21) asxtemp
  write (21) achtemp
  write (21) asxtempref
  write (21) achtempref
  close (21)

contains

  ! Element (row, column) is start + row/16 - i column/32.
  function matrix(rows, columns, start) result(values)
    integer(int32), intent(in) :: rows, columns
    real(real64), intent(in) :: start
    complex(real64) :: values(rows, columns)
    integer(int32) :: row, column
    do column = 1, columns
      do row = 1, rows
        values(row, column) = cmplx(start + row / 16d0, -column / 32d0, real64)
      end do
    end do
  end function matrix

end program write_fixture
