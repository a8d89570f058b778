! Series and a fixed point.
module special
  implicit none
  integer, parameter :: dp = kind(1.0d0)
contains

  ! The Bessel function J0(x) for |x| <= 60, by its power series until a term no
  ! longer counts.
  function bessel_j0_series(x) result(y)
    real(dp), intent(in) :: x
    real(dp) :: y, term, q
    integer :: k
    y = 0.0_dp
    if (.not. abs(x) <= 60.0_dp) return
    q = -0.25_dp * x * x
    term = 1.0_dp
    y = 1.0_dp
    k = 0
    do while (abs(term) > 1.0e-17_dp * abs(y))
      k = k + 1
      term = term * q / (real(k, dp) * k)
      y = y + term
    end do
  end function bessel_j0_series

  ! The eccentric anomaly for the mean anomaly m (radians, 0 to 2 pi) and the
  ! eccentricity e in [0, 0.999], by fixed-point iteration.
  function kepler_fixed(m, e) result(ecc)
    real(dp), intent(in) :: m, e
    real(dp) :: ecc, next, change
    ecc = 0.0_dp
    if (.not. (m >= 0.0_dp .and. m <= 6.2831_dp)) return
    if (.not. (e >= 0.0_dp .and. e <= 0.999_dp)) return
    ecc = m
    do
      next = m + e * sin(ecc)
      change = abs(next - ecc)
      ecc = next
      if (change < 1.0e-3_dp) exit
    end do
  end function kepler_fixed

  ! atan(x) for |x| <= 1 by its power series.
  function atan_series(x) result(y)
    real(dp), intent(in) :: x
    real(dp) :: y, power
    integer :: k
    y = 0.0_dp
    if (.not. abs(x) <= 1.0_dp) return
    power = x
    do k = 0, 14
      y = y + power / (2 * k + 1)
      power = -power * x * x
    end do
  end function atan_series

end module special
