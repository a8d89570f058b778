! The Poisson equation on the unit square by V-cycles: red-black smoothing, full weighting, bilinear interpolation.
#ifdef QUAD
#define KIND 16
#else
#define KIND 8
#endif
#ifndef FAULT
#define FAULT 0
#endif
module grids
  implicit none
  integer, parameter :: wp = KIND
contains

  subroutine smooth(u, f, n, sweeps)
    integer, intent(in) :: n, sweeps
    real(wp), intent(inout) :: u(0:n, 0:n)
    real(wp), intent(in) :: f(0:n, 0:n)
    real(wp) :: square
    integer :: i, j, color, sweep
    square = (1.0_wp / n)**2
    do sweep = 1, sweeps
      do color = 0, 1
        do j = 1, n - 1
          do i = 1 + mod(j + color, 2), n - 1, 2
            u(i, j) = 0.25_wp * (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1) + square * f(i, j)) ! fault 2
          end do
        end do
      end do
    end do
  end subroutine smooth

  subroutine residual(u, f, r, n)
    integer, intent(in) :: n
    real(wp), intent(in) :: u(0:n, 0:n), f(0:n, 0:n)
    real(wp), intent(out) :: r(0:n, 0:n)
    real(wp) :: scale
    integer :: i, j
    scale = real(n, wp)**2
    r = 0
    do j = 1, n - 1
      do i = 1, n - 1
        r(i, j) = f(i, j) - scale * (4 * u(i, j) - u(i - 1, j) - u(i + 1, j) - u(i, j - 1) - u(i, j + 1))
      end do
    end do
  end subroutine residual

  subroutine restrict(fine, coarse, n)
    integer, intent(in) :: n
    real(wp), intent(in) :: fine(0:n, 0:n)
    real(wp), intent(out) :: coarse(0:n/2, 0:n/2)
    integer :: i, j
    coarse = 0
    do j = 1, n / 2 - 1
      do i = 1, n / 2 - 1
        coarse(i, j) = 0.25_wp * fine(2*i, 2*j) &
          + 0.125_wp * (fine(2*i - 1, 2*j) + fine(2*i + 1, 2*j) + fine(2*i, 2*j - 1) + fine(2*i, 2*j + 1)) &
          + 0.0625_wp * (fine(2*i - 1, 2*j - 1) + fine(2*i + 1, 2*j - 1) + fine(2*i - 1, 2*j + 1) + fine(2*i + 1, 2*j + 1))
      end do
    end do
  end subroutine restrict

  subroutine correct(fine, coarse, n)
    integer, intent(in) :: n
    real(wp), intent(inout) :: fine(0:n, 0:n)
    real(wp), intent(in) :: coarse(0:n/2, 0:n/2)
    integer :: i, j
    do j = 1, n - 1
      do i = 1, n - 1
        fine(i, j) = fine(i, j) + 0.25_wp * (coarse(i/2, j/2) + coarse((i + 1)/2, j/2) &
                                             + coarse(i/2, (j + 1)/2) + coarse((i + 1)/2, (j + 1)/2))
      end do
    end do
  end subroutine correct

  recursive subroutine cycle_once(u, f, n)
    integer, intent(in) :: n
    real(wp), intent(inout) :: u(0:n, 0:n)
    real(wp), intent(in) :: f(0:n, 0:n)
    real(wp), allocatable :: r(:, :), coarse(:, :), guess(:, :)
    allocate (r(0:n, 0:n), coarse(0:n/2, 0:n/2), guess(0:n/2, 0:n/2))
    call smooth(u, f, n, 2)
    if (n > 2) then
      call residual(u, f, r, n)
      call restrict(r, coarse, n)
#if FAULT != 2
      guess = 0 ! fault 2: without it, an uninitialised value
#endif
      call cycle_once(guess, coarse, n / 2)
      call correct(u, guess, n)
      call smooth(u, f, n, 2)
    end if
  end subroutine cycle_once

  function norm(r, n)
    integer, intent(in) :: n
    real(wp), intent(in) :: r(0:n, 0:n)
    real(wp) :: norm
    integer :: i, j
    norm = 0
    do j = 1, n - 1
      do i = 1, n - 1
        norm = norm + r(i, j)**2
      end do
    end do
    norm = sqrt(norm) / n
  end function norm

end module grids

program multigrid
  use grids
  implicit none
  integer, parameter :: most = 40
  real(wp), allocatable :: u(:, :), f(:, :), r(:, :)
  real(wp) :: first, now, x, y, pi, tolerance
  integer :: n, i, j, cycles
  character(16) :: word
  n = 128
  call get_command_argument(1, word)
  if (word /= '') read (word, *) n
  allocate (u(0:n, 0:n), f(0:n, 0:n), r(0:n, 0:n))
  pi = 3.141592653589793_8
  u = 0
  do j = 0, n
    do i = 0, n
      x = real(i, wp) / n
      y = real(j, wp) / n
#if FAULT == 3
      f(i, j) = sin(pi * x) * sin(2 * pi * y) + 0.3 * x * y ! fault 3: a constant in single precision
#else
      f(i, j) = sin(pi * x) * sin(2 * pi * y) + 0.3_8 * x * y
#endif
    end do
  end do
#if FAULT == 1
  tolerance = 0.2_8
#elif FAULT == 4
  tolerance = 1e-25_8
#else
  tolerance = 1e-9_8
#endif
  call residual(u, f, r, n)
  first = norm(r, n)
  now = first
  do cycles = 1, most ! faults 1 and 4
    if (now <= tolerance * first) exit ! faults 1 and 4: the tolerance is too large, or cannot be reached
    call cycle_once(u, f, n)
    call residual(u, f, r, n)
    now = norm(r, n)
  end do
  print '(a, i4)', 'cycles', cycles
  print '(a, es26.17e3)', 'centre', u(n/2, n/2)
  print '(a, es26.17e3)', 'quarter', u(n/4, n/4)
  print '(a, es26.17e3)', 'norm', norm(u, n)
  print '(a, es26.17e3)', 'residual', now / first
end program multigrid
