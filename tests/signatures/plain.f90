! Procedures of Fortran with the signatures that people write, one of each sort. All of them are to be hunted in as they
! are, and each has an error to find.
module signatures
  use iso_fortran_env, only: real64
  implicit none
  integer, parameter :: dp = real64, sp = selected_real_kind(6)

  type point
    real(dp) :: x, y
  end type
  type segment
    type(point) :: from, to
    integer :: weight = 1
  end type
  type polynomial
    character(8) :: label
    real(dp) :: c(0:2)
    logical :: even
  end type
  type, extends(point) :: weighted
    real(dp), allocatable :: w(:)
  contains
    procedure :: balance
  end type

  abstract interface
    function real_function(x) result(y)
      import dp
      real(dp), intent(in) :: x
      real(dp) :: y
    end function
    subroutine right_hand_side(t, y, dy)
      import dp
      real(dp), intent(in) :: t, y(:)
      real(dp), intent(out) :: dy(:)
    end subroutine
  end interface

  private :: hidden

contains

  real(dp) function modulus_gap(z)
    complex(dp), intent(in) :: z
    modulus_gap = abs(z) - 1
  end function

  complex(dp) function shifted(z)
    complex(dp), intent(in) :: z
    shifted = sqrt(z*z - 1) - z
  end function

  complex(sp) function single(z, f)
    complex(sp), intent(in) :: z
    real(sp), intent(in) :: f
    single = z*f - 1
  end function

  real(dp) function complex_sum(n, z)
    integer, intent(in) :: n
    complex(dp), intent(in) :: z(n)
    complex_sum = real(sum(z)) - aimag(z(n))
  end function

  subroutine rotated(m, angle)
    complex(dp), intent(inout) :: m(:, :)
    real(dp), intent(in) :: angle
    integer :: i, j
    do j = 1, size(m, 2)
      do i = 1, size(m, 1)
        m(i, j) = m(i, j)*cmplx(cos(angle), sin(angle), dp) - 1
      end do
    end do
  end subroutine

  real(dp) function distance(p, q)
    type(point), intent(in) :: p, q
    distance = sqrt((p%x - q%x)**2 + (p%y - q%y)**2)
  end function

  type(point) function middle(s)
    type(segment), intent(in) :: s
    middle%x = (s%from%x*s%weight + s%to%x)/(s%weight + 1)
    middle%y = s%from%y - s%to%y
  end function

  real(dp) function value_of(p, x)
    type(polynomial), intent(in) :: p
    real(dp), intent(in) :: x
    value_of = p%c(0) + x*(p%c(1) + x*p%c(2))
    if (p%even) value_of = value_of - p%c(1)*x
  end function

  real(dp) function path(p)
    type(point), intent(in) :: p(:)
    integer :: i
    path = 0
    do i = 2, size(p)
      path = path + hypot(p(i)%x - p(i - 1)%x, p(i)%y - p(i - 1)%y)
    end do
  end function

  real(dp) function balance(this, by)
    class(weighted), intent(in) :: this
    real(dp), intent(in) :: by
    balance = this%x*this%w(1) - this%y*this%w(2) - by
  end function

  real(dp) function either(first, a, b)
    logical, intent(in) :: first
    real(dp), intent(in) :: a, b
    either = a + b
    if (first) either = a - b
  end function

  logical function inside(x, y)
    real(dp), intent(in) :: x, y
    inside = x*x + y*y < 1
  end function

  integer function quadrant(x, y)
    real(dp), intent(in) :: x, y
    quadrant = merge(1, 2, x - y > 0)
  end function

  real(dp) function by_name(what, x)
    character(*), intent(in) :: what
    real(dp), intent(in) :: x
    select case (what)
    case ('cosine')
      by_name = 1 - cos(x)
    case ('sine', 'it''s')
      by_name = x - sin(x)
    case default
      by_name = 0
    end select
  end function

  real(dp) function slope(f, x, h)
    procedure(real_function) :: f
    real(dp), intent(in) :: x, h
    slope = (f(x + h) - f(x))/h
  end function

  real(dp) function mean_of(f, a, b)
    interface
      function f(t)
        import dp
        real(dp), intent(in) :: t
        real(dp) :: f
      end function
    end interface
    real(dp), intent(in) :: a, b
    mean_of = (f(a) + f(b))/2 - f((a + b)/2)
  end function

  real(dp) function chosen(keep, z)
    interface
      logical function keep(w)
        import dp
        complex(dp), intent(in) :: w
      end function
    end interface
    complex(dp), intent(in) :: z
    chosen = abs(z) - 1
    if (keep(z)) chosen = abs(z) - 2
  end function

  subroutine euler(f, t, y, step)
    procedure(right_hand_side) :: f
    real(dp), intent(in) :: t, step
    real(dp), intent(inout) :: y(3)
    real(dp) :: dy(3)
    integer :: i
    call f(t, y, dy)
    do i = 1, 3
      y(i) = y(i) + step*dy(i)
    end do
  end subroutine

  real(dp) function offset(z, by, scale)
    complex(dp), intent(in) :: z
    real(dp), intent(in), optional :: by
    real(dp), intent(in), optional :: scale(:)
    offset = real(z)
    if (present(by)) offset = offset - by
    if (present(scale)) offset = offset*scale(1)
  end function

  subroutine scaled(a, by)
    real(dp), allocatable, intent(inout) :: a(:)
    complex(dp), intent(in) :: by
    integer :: i
    do i = 1, size(a)
      a(i) = a(i)*abs(by) - 1
    end do
  end subroutine

  function differences(n, z) result(d)
    integer, intent(in) :: n
    complex(dp), intent(in) :: z(n)
    complex(dp) :: d(n - 1)
    integer :: i
    do i = 1, n - 1
      d(i) = z(i + 1) - z(i)
    end do
  end function

  real(dp) function hidden(z)
    complex(dp), intent(in) :: z
    hidden = real(z)**2 - aimag(z)**2
  end function

  real(16) function quadruple(x)
    real(16), intent(in) :: x
    quadruple = x - 1
  end function

end module

complex(8) function external_ratio(p, z)
  use signatures, only: pair => point
  implicit none
  type(pair), intent(in) :: p
  complex(8), intent(in) :: z
  external_ratio = cmplx(p%x, p%y, 8)/z - 1
end function
