! Reads a gpp214 file as the original Fortran program does, and writes every record again: the copy
! shows that each was accepted and arrived whole.
!
!   read_ours ours.dat copy.dat
program read_ours
  use, intrinsic :: iso_fortran_env, only: int32, real64
  implicit none

  integer(int32) :: sig_ntband, gvec_ng, ncoul, epsmpi_ngpown_max, peinf_ntband_max
  integer(int32) :: peinf_ntband_dist, ipe, ispin, ngpown, ncouls, gvec_ng_again
  integer(int32) :: nstart, nend, sig_fdf, nvband
  real(real64) :: sig_dw, sig_gamma, e_lk, tol, efermi, sexcut, limittwo, limitone
  integer(int32), allocatable :: peinf_indext_dist(:), inv_igp_index(:), indinv(:)
  real(real64), allocatable :: wfnkq_ekq(:), vcoul(:)
  complex(real64), allocatable :: aqsmtemp(:, :), aqsntemp(:, :)
  complex(real64), allocatable :: wtilde_array(:, :), I_eps_array(:, :)
  complex(real64) :: asxtemp(3), achtemp(3), asxtempref(3), achtempref(3)
  character(len=4096) :: ours, copy

  call get_command_argument(1, ours)
  call get_command_argument(2, copy)
  call read_all()
  call write_all()

contains

  subroutine read_all()
    integer :: status
    open (21, file=trim(ours), form='unformatted', status='old', action='read')
    read (21) sig_ntband, gvec_ng, ncoul, epsmpi_ngpown_max, peinf_ntband_max
    read (21) peinf_ntband_dist, ipe, ispin, ngpown, ncouls
    allocate (peinf_indext_dist(peinf_ntband_max), wfnkq_ekq(sig_ntband))
    allocate (inv_igp_index(epsmpi_ngpown_max), indinv(gvec_ng), vcoul(ncoul))
    allocate (aqsmtemp(ncouls, peinf_ntband_max), aqsntemp(ncouls, peinf_ntband_max))
    allocate (wtilde_array(ncouls, ngpown), I_eps_array(ncouls, ngpown))
    read (21) peinf_indext_dist
    read (21) wfnkq_ekq
    read (21) nstart, nend, sig_fdf, sig_dw, sig_gamma, e_lk
    read (21) inv_igp_index
    read (21) gvec_ng_again, indinv
    read (21) aqsmtemp
    read (21) nvband, tol, efermi
    read (21) vcoul
    read (21) sexcut, limittwo, limitone
    read (21) wtilde_array
    read (21) I_eps_array
    read (21) aqsntemp
    read (21) asxtemp
    read (21) achtemp
    read (21) asxtempref
    read (21) achtempref
    read (21, iostat=status)
    if (status == 0) error stop 'there is a 19th record'
    close (21)
  end subroutine read_all

  subroutine write_all()
    open (22, file=trim(copy), form='unformatted', status='replace', action='write')
    write (22) sig_ntband, gvec_ng, ncoul, epsmpi_ngpown_max, peinf_ntband_max
    write (22) peinf_ntband_dist, ipe, ispin, ngpown, ncouls
    write (22) peinf_indext_dist
    write (22) wfnkq_ekq
    write (22) nstart, nend, sig_fdf, sig_dw, sig_gamma, e_lk
    write (22) inv_igp_index
    write (22) gvec_ng_again, indinv
    write (22) aqsmtemp
    write (22) nvband, tol, efermi
    write (22) vcoul
    write (22) sexcut, limittwo, limitone
    write (22) wtilde_array
    write (22) I_eps_array
    write (22) aqsntemp
    write (22) asxtemp
    write (22) achtemp
    write (22) asxtempref
    write (22) achtempref
    close (22)
  end subroutine write_all

end program read_ours
