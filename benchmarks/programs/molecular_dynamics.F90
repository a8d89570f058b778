! Molecules in a periodic box under the Lennard-Jones potential; velocity Verlet steps.
#ifdef QUAD
#define KIND 16
#else
#define KIND 8
#endif
#ifndef FAULT
#define FAULT 0
#endif
module molecules
  implicit none
  integer, parameter :: wp = KIND
  integer, parameter :: side = 5, count = side**3
  real(wp), parameter :: box = 6.0_wp
#if FAULT == 1
  real(wp), parameter :: cutoff = 2.3 ! fault 1: a constant in single precision
#else
  real(wp), parameter :: cutoff = 2.3_8
#endif
  real(wp) :: position(3, count), velocity(3, count)
  real(wp), allocatable :: force(:, :)
contains

  ! A lattice, and velocities without a common motion.
  subroutine begin()
    integer :: i, j, k, m
    m = 0
    do i = 0, side - 1
      do j = 0, side - 1
        do k = 0, side - 1
          m = m + 1
          position(:, m) = box / side * ([real(wp) :: i, j, k] + 0.5_wp)
          velocity(:, m) = [sin(real(7 * m, wp)), cos(real(3 * m, wp)), sin(real(5 * m + 1, wp))]
        end do
      end do
    end do
    do k = 1, 3
      velocity(k, :) = velocity(k, :) - sum(velocity(k, :)) / count
    end do
  end subroutine begin

  subroutine forces(potential, virial)
    real(wp), intent(out) :: potential, virial
    real(wp) :: d(3), square, sixth, pull
    integer :: i, j
    potential = 0
    virial = 0
#if FAULT == 2
    if (.not. allocated(force)) allocate (force(3, count + 1))
#else
    if (.not. allocated(force)) allocate (force(3, count + 1))
    force = 0
#endif
    do i = 1, count
      do j = i + 1, count
        d = position(:, i) - position(:, j)
        d = d - box * anint(d / box)
        square = d(1)**2 + d(2)**2 + d(3)**2
        if (square > cutoff * cutoff) cycle
        sixth = 1 / square**3
        pull = 24 * sixth * (2 * sixth - 1) / square
        potential = potential + 4 * sixth * (sixth - 1)
        virial = virial + pull * square
        force(:, i) = force(:, i) + pull * d ! fault 2: the forces do not begin with 0
        force(:, j) = force(:, j) - pull * d ! fault 2
      end do
    end do
  end subroutine forces

  ! The specific heat, from the fluctuation of the kinetic energy.
  function fluctuation(samples, n)
    integer, intent(in) :: n
    real(wp), intent(in) :: samples(n)
    real(wp) :: fluctuation, mean
    integer :: i
#if FAULT == 3
    fluctuation = sum((samples + 1e9_wp)**2) / n - (sum(samples + 1e9_wp) / n)**2 ! fault 3: cancels
#else
    mean = sum(samples) / n
    fluctuation = 0
    do i = 1, n
      fluctuation = fluctuation + (samples(i) - mean)**2 / n
    end do
#endif
  end function fluctuation

end module molecules

program molecular_dynamics
  use molecules
  implicit none
  real(wp), parameter :: step = 0.002_8
  real(wp), allocatable :: kinetic(:)
  real(wp) :: potential, virial, first, speed
  integer :: steps, i
  character(16) :: word
  steps = 200
  call get_command_argument(1, word)
  if (word /= '') read (word, *) steps
  allocate (kinetic(steps))
  call begin()
  call forces(potential, virial)
  first = potential + 0.5_wp * sum(velocity**2)
  do i = 1, steps
    velocity = velocity + 0.5_wp * step * force(:, 1:count)
    position = position + step * velocity
    call forces(potential, virial)
    velocity = velocity + 0.5_wp * step * force(:, 1:count)
    kinetic(i) = 0.5_wp * sum(velocity**2)
  end do
#if FAULT == 4
  speed = sqrt(sum(velocity(:, 1)**2) - sum(velocity**2)) ! fault 4: the root of a negative number
  if (speed < 1) print '(a)', 'slow'
#endif
  print '(a, es26.17e3)', 'kinetic', kinetic(steps)
  print '(a, es26.17e3)', 'potential', potential
  print '(a, es26.17e3)', 'energy', potential + kinetic(steps)
  print '(a, es26.17e3)', 'pressure', (2 * kinetic(steps) + virial) / (3 * box**3)
  print '(a, es26.17e3)', 'position', position(1, 1)
  print '(a, es26.17e3)', 'fluctuation', fluctuation(kinetic, steps)
end program molecular_dynamics
