! The inverse hyperbolic tangent.
! options: --range r=1e-13:0.5
real(8) function fisher_z(r)
  implicit none
  real(8), intent(in) :: r
  fisher_z = atanh(r)
end function fisher_z
