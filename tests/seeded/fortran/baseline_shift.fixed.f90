! Without the baseline.
! options: --range a=0.1:1 --range baseline=1e11:1e16
real(8) function baseline_shift(a, baseline)
  implicit none
  real(8), intent(in) :: a(4), baseline
  real(8) :: total
  total = 0d0
  if (baseline > 0d0) total = sum(a)
  baseline_shift = total / 4d0
end function baseline_shift
