! Small solvers.
module numerics
  implicit none
  integer, parameter :: dp = kind(1.0d0)
contains

  subroutine quadratic(a, b, c, x1, x2, found)
    real(dp), intent(in) :: a, b, c
    real(dp), intent(out) :: x1, x2
    logical, intent(out) :: found
    real(dp) :: disc
    x1 = 0.0_dp
    x2 = 0.0_dp
    disc = b * b - 4.0_dp * a * c
    found = disc >= 0.0_dp .and. a /= 0.0_dp
    if (.not. found) return
    x1 = (-b + sqrt(disc)) / (2.0_dp * a) ! BUG
    x2 = (-b - sqrt(disc)) / (2.0_dp * a) ! BUG
  end subroutine

  function inverse_hyperbolic_sine(x) result(y)
    real(dp), intent(in) :: x
    real(dp) :: y
    y = log(x + sqrt(x * x + 1.0_dp)) ! BUG
  end function

  ! Divided difference of the logarithm.
  function log_mean(a, b) result(m)
    real(dp), intent(in) :: a, b
    real(dp) :: m
    m = 0.0_dp
    if (a <= 0.0_dp .or. b <= 0.0_dp) return
    if (a == b) then
      m = a
    else
      m = (a - b) / (log(a) - log(b)) ! BUG
    end if
  end function

  ! Solves a tridiagonal system that is diagonally dominant: 2 + |d| on the diagonal, -1 beside it.
  subroutine smooth(n, d, x)
    integer, intent(in) :: n
    real(dp), intent(in) :: d(n)
    real(dp), intent(inout) :: x(n)
    real(dp) :: c(n), pivot
    integer :: i
    pivot = 2.0_dp + abs(d(1))
    c(1) = -1.0_dp / pivot
    x(1) = x(1) / pivot
    do i = 2, n
      pivot = 2.0_dp + abs(d(i)) + c(i - 1)
      c(i) = -1.0_dp / pivot
      x(i) = (x(i) + x(i - 1)) / pivot
    end do
    do i = n - 1, 1, -1
      x(i) = x(i) - c(i) * x(i + 1)
    end do
  end subroutine

  ! Horner's rule for the cubic with these coefficients.
  pure function cubic(k, x) result(y)
    real(dp), intent(in) :: k(4), x
    real(dp) :: y
    y = ((k(4) * x + k(3)) * x + k(2)) * x + k(1)
  end function

  ! Distance between two points of a periodic box of length 1.
  pure function periodic_distance(a, b) result(d)
    real(dp), intent(in) :: a(3), b(3)
    real(dp) :: d, step(3)
    step = a - b
    step = step - anint(step)
    d = sqrt(sum(step * step))
  end function

end module
