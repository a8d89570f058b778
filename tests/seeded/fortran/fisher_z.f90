! Fisher's transformation by a logarithm: for a weak correlation its argument is next to 1.
! options: --range r=1e-13:0.5
real(8) function fisher_z(r)
  implicit none
  real(8), intent(in) :: r
  real(8) :: odds, z
  odds = (1d0 + r) / (1d0 - r)
  z = log(odds) ! FAULT: sensitive-argument
  fisher_z = z / 2d0
end function fisher_z
