! Rounding, splitting, error terms, and an exponential.
module transforms
  use numbers
  implicit none
contains

  ! Nearest integer, ties to even, of x clamped to [-2**51, 2**51].  Exact.
  function nearest_magic(x) result(r)
    real(dp), intent(in) :: x
    real(dp) :: r, y
    y = min(max(x, -2.0_dp**51), 2.0_dp**51)
    r = (y + round_magic) - round_magic
  end function nearest_magic

  ! s = a + b rounded, e = a + b - s exactly (Knuth).  a and b are clamped to 1e300.
  subroutine two_sum_f(a, b, s, e)
    real(dp), intent(in) :: a, b
    real(dp), intent(out) :: s, e
    real(dp) :: x, y, t
    x = in_range(a, 0.0_dp, 1.0e300_dp)
    y = in_range(b, 0.0_dp, 1.0e300_dp)
    s = x + y
    t = s - x
    e = (x - (s - t)) + (y - t)
  end subroutine two_sum_f

  ! hi is x in single precision, lo = x - hi exactly.  x is clamped to 1e30, and
  ! 0 if below 1e-30.
  subroutine split_single(x, hi, lo)
    real(dp), intent(in) :: x
    real(dp), intent(out) :: hi, lo
    real(dp) :: y
    y = in_range(x, 1.0e-30_dp, 1.0e30_dp)
    hi = real(real(y, sp), dp)
    lo = y - hi
  end subroutine split_single

  ! exp(x), x clamped to [-700, 700].  Cody and Waite's reduction; relative
  ! error below 4e-16.
  function exp_mod(x) result(y)
    real(dp), intent(in) :: x
    real(dp) :: y, z, r, k
    integer :: n, i
    z = min(max(x, -700.0_dp), 700.0_dp)
    n = nint(z * log2e)
    k = real(n, dp)
    r = (z - k * ln2_parts(1)) - k * ln2_parts(2)
    y = 1.0_dp
    do i = 14, 1, -1
      y = 1.0_dp + r * y / i
    end do
    y = scale(y, n)
  end function exp_mod

  ! a / b from a reciprocal in single precision, two Newton steps and a
  ! correction by the exact residual.  Relative error below 3e-16.  0 unless the
  ! magnitudes of both are in [1e-30, 1e30].
  function div_newton(a, b) result(q)
    real(dp), intent(in) :: a, b
    real(dp) :: q, y, p, e, t, qh, ql, bh, bl
    q = 0.0_dp
    if (abs(a) < 1.0e-30_dp .or. abs(a) > 1.0e30_dp) return
    if (abs(b) < 1.0e-30_dp .or. abs(b) > 1.0e30_dp) return
    y = 1.0_sp / real(b, sp)
    y = y * (2.0_dp - b * y)
    y = y * (2.0_dp - b * y)
    q = a * y
    t = splitter * q
    qh = t - (t - q)
    ql = q - qh
    t = splitter * b
    bh = t - (t - b)
    bl = b - bh
    p = q * b
    e = ((qh * bh - p) + qh * bl + ql * bh) + ql * bl
    q = q + ((a - p) - e) * y
  end function div_newton

end module transforms
