! Dense linear equations by LU factors with pivots: a solution, its residual, the determinant, a least-squares line.
#ifdef QUAD
#define KIND 16
#else
#define KIND 8
#endif
#ifndef FAULT
#define FAULT 0
#endif
module factors
  implicit none
  integer, parameter :: wp = KIND
contains

  subroutine factor(a, pivots, n)
    integer, intent(in) :: n
    real(wp), intent(inout) :: a(n, n)
    integer, intent(out) :: pivots(n)
    real(wp) :: row(n)
    integer :: i, j, k, p
    do k = 1, n
      p = k
      do i = k + 1, n
        if (abs(a(i, k)) > abs(a(p, k))) p = i
      end do
      pivots(k) = p
      if (p /= k) then
        row = a(k, :)
        a(k, :) = a(p, :)
        a(p, :) = row
      end if
      do i = k + 1, n
        a(i, k) = a(i, k) / a(k, k)
      end do
      do j = k + 1, n
        do i = k + 1, n
          a(i, j) = a(i, j) - a(i, k) * a(k, j)
        end do
      end do
    end do
  end subroutine factor

  subroutine solve(a, pivots, b, x, n)
    integer, intent(in) :: n, pivots(n)
    real(wp), intent(in) :: a(n, n), b(n)
    real(wp), intent(out) :: x(n)
    real(wp) :: swapped
#if FAULT == 1
    real(4) :: sum
#else
    real(wp) :: sum
#endif
    integer :: i, j, k
    x = b
    do k = 1, n
      swapped = x(k)
      x(k) = x(pivots(k))
      x(pivots(k)) = swapped
    end do
    do i = 1, n
      sum = 0
      do j = 1, i - 1
        sum = sum + a(i, j) * x(j) ! fault 1: adds in single precision
      end do
      x(i) = x(i) - sum ! fault 1
    end do
    do i = n, 1, -1
      do j = i + 1, n
        x(i) = x(i) - a(i, j) * x(j)
      end do
      x(i) = x(i) / a(i, i)
    end do
  end subroutine solve

  ! The slope of the line through points: y over t.
  function slope(t, y, n)
    integer, intent(in) :: n
    real(wp), intent(in) :: t(n), y(n)
    real(wp) :: slope, mean_t, mean_y, top, bottom
    integer :: i
#if FAULT == 2
    real(wp) :: st, sy, stt, sty
    st = 0; sy = 0; stt = 0; sty = 0
    do i = 1, n
      st = st + t(i)
      sy = sy + y(i)
      stt = stt + t(i) * t(i)
      sty = sty + t(i) * y(i)
    end do
    top = n * sty - st * sy ! fault 2: the textbook's formula cancels
    bottom = n * stt - st * st ! fault 2
#else
    mean_t = 0
    mean_y = 0
    do i = 1, n
      mean_t = mean_t + t(i) / n
      mean_y = mean_y + y(i) / n
    end do
    top = 0
    bottom = 0
    do i = 1, n
      top = top + (t(i) - mean_t) * (y(i) - mean_y)
      bottom = bottom + (t(i) - mean_t)**2
    end do
#endif
    slope = top / bottom
  end function slope

  ! A root of a quadratic equation with a small constant term.
  function root(b, c)
    real(wp), intent(in) :: b, c
    real(wp) :: root
#if FAULT == 3
    root = (-b + sqrt(b * b - 4 * c)) / 2 ! fault 3: the other root has all digits
#else
    root = 2 * c / (-b - sqrt(b * b - 4 * c))
#endif
  end function root

end module factors

program lu
  use factors
  implicit none
  real(wp), allocatable :: a(:, :), copy(:, :), b(:), x(:), r(:), t(:), y(:)
  integer, allocatable :: pivots(:)
  real(wp) :: logarithm, largest
  integer :: n, i, j
  character(16) :: word
  n = 200
  call get_command_argument(1, word)
  if (word /= '') read (word, *) n
  allocate (a(n, n), copy(n, n), b(n), x(n), r(n), t(n), y(n), pivots(n))
  do j = 1, n
    do i = 1, n
      a(i, j) = cos(real(i * j, wp)) + real(min(i, j), wp) / n
    end do
  end do
  do i = 1, n
    b(i) = sin(real(i, wp))
    t(i) = 300000000.0_8 + i
    y(i) = 0.25_8 * i + b(i)
  end do
  copy = a
  call factor(a, pivots, n)
  call solve(a, pivots, b, x, n)
  logarithm = 0
  do i = 1, n
    logarithm = logarithm + log(abs(a(i, i)))
  end do
  largest = 0
  do i = 1, n
    r(i) = b(i)
    do j = 1, n
      r(i) = r(i) - copy(i, j) * x(j)
    end do
    largest = max(largest, abs(x(i)))
  end do
  print '(a, es26.17e3)', 'first', x(1)
  print '(a, es26.17e3)', 'last', x(n)
  print '(a, es26.17e3)', 'largest', largest
  print '(a, es26.17e3)', 'determinant', logarithm
  print '(a, es26.17e3)', 'slope', slope(t, y, n)
  print '(a, es26.17e3)', 'root', root(1e5_8 + b(1), 1e-8_8 + b(2)**2 * 1e-9_8)
end program lu
