! Divided before it is multiplied; the smaller one is scaled.
! options: --range a=1e-250:1e-140 --range b=1e-250:1e-140
real(8) function parallel_conductance(a, b)
  implicit none
  real(8), intent(in) :: a, b
  real(8) :: smaller, larger
  smaller = min(a, b)
  larger = max(a, b)
  parallel_conductance = smaller * (larger / (smaller + larger))
end function parallel_conductance
