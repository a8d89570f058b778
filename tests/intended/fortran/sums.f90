! Sums and dot products of short vectors.
module sums
  use numbers
  implicit none
contains

  ! The sum of the magnitudes of x (Kahan), relative error below 4e-16.  Terms
  ! are clamped to 1e300.
  function kahan_sum_abs(x) result(s)
    real(dp), intent(in) :: x(8)
    real(dp) :: s, c, y, t
    integer :: i
    s = 0.0_dp
    c = 0.0_dp
    do i = 1, 8
      y = min(abs(x(i)), 1.0e300_dp) - c
      t = s + y
      c = (t - s) - y
      s = t
    end do
  end function kahan_sum_abs

  ! The dot product of x and y, correctly rounded or next to it (Ogita, Rump and
  ! Oishi).  Entries are clamped to 2**16 and rounded to multiples of 2**(-16).
  function dot_comp(x, y) result(s)
    real(dp), intent(in) :: x(4), y(4)
    real(dp) :: s, c, a, b, p, e, t, z, ah, al, bh, bl
    integer :: i
    s = 0.0_dp
    c = 0.0_dp
    do i = 1, 4
      a = (in_range(x(i), 0.0_dp, 65536.0_dp) + fixed_shift) - fixed_shift
      b = (in_range(y(i), 0.0_dp, 65536.0_dp) + fixed_shift) - fixed_shift
      t = splitter * a
      ah = t - (t - a)
      al = a - ah
      t = splitter * b
      bh = t - (t - b)
      bl = b - bh
      p = a * b
      e = ((ah * bh - p) + ah * bl + al * bh) + al * bl
      t = s + p
      z = t - s
      c = c + (e + ((s - (t - z)) + (p - z)))
      s = t
    end do
    s = s + c
  end function dot_comp

  ! The sum of x by a cascade: two passes of two_sum over the vector, then the
  ! plain sum of what is left.  Relative error below 1e-10 for any cancellation;
  ! terms are clamped to 2**30, and 0 if below 2**(-27).
  function cascaded_sum(x) result(s)
    real(dp), intent(in) :: x(8)
    real(dp) :: s, p(8), t, z
    integer :: i, pass
    do i = 1, 8
      p(i) = in_range(x(i), 2.0_dp**(-27), 2.0_dp**30)
    end do
    do pass = 1, 2
      do i = 2, 8
        t = p(i) + p(i-1)
        z = t - p(i)
        p(i-1) = (p(i) - (t - z)) + (p(i-1) - z)
        p(i) = t
      end do
    end do
    s = 0.0_dp
    do i = 1, 7
      s = s + p(i)
    end do
    s = s + p(8)
  end function cascaded_sum

  ! The sum of the magnitudes of x in pairs, relative error below 4e-16.  Terms
  ! are clamped to 1e300.
  function pairwise_sum(x) result(s)
    real(dp), intent(in) :: x(8)
    real(dp) :: s
    s = halves(x, 8)
  end function pairwise_sum

  recursive function halves(x, n) result(s)
    integer, intent(in) :: n
    real(dp), intent(in) :: x(n)
    real(dp) :: s
    if (n == 1) then
      s = min(abs(x(1)), 1.0e300_dp)
    else
      s = halves(x(1:n/2), n/2) + halves(x(n/2+1:n), n - n/2)
    end if
  end function halves

end module sums
