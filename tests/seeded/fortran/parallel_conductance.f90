! Product over sum: the product of two small conductances underflows.
! options: --range a=1e-250:1e-140 --range b=1e-250:1e-140
real(8) function parallel_conductance(a, b)
  implicit none
  real(8), intent(in) :: a, b
  real(8) :: product, total
  product = a * b ! FAULT: intermediate-underflow
  total = a + b
  parallel_conductance = product / total
end function parallel_conductance
