! Readings are added to a large baseline, which is taken away again with most of their digits.
! options: --range a=0.1:1 --range baseline=1e11:1e16
real(8) function baseline_shift(a, baseline)
  implicit none
  real(8), intent(in) :: a(4), baseline
  real(8) :: total, shifted
  total = sum(a)
  shifted = (baseline + total) - baseline ! FAULT: absorption
  baseline_shift = shifted / 4d0
end function baseline_shift
