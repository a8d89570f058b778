! Orbital mechanics.
module orbit
  implicit none
  integer, parameter :: dp = kind(1.0d0)
contains

  ! Area between a chord and its arc of this angle.
  function segment_area(radius, angle) result(area)
    real(dp), intent(in) :: radius, angle
    real(dp) :: area
    area = 0.0_dp
    if (radius <= 0.0_dp .or. angle < 0.0_dp .or. angle > 6.28_dp) return
    area = radius**2 * (angle - sin(angle)) / 2.0_dp ! BUG
  end function

  ! Solves Kepler's equation by Newton's method.
  function eccentric_anomaly(m, e) result(big_e)
    real(dp), intent(in) :: m, e
    real(dp) :: big_e, step
    integer :: i
    if (e < 0.0_dp .or. e > 0.9_dp .or. abs(m) > 3.2_dp) then
      big_e = 0.0_dp
      return
    end if
    big_e = m + e * sin(m)
    do i = 1, 50
      step = (big_e - e * sin(big_e) - m) / (1.0_dp - e * cos(big_e))
      big_e = big_e - step
      if (abs(step) < 1.0e-14_dp) exit
    end do
  end function

  ! Angle between two directions on the sky (radians).
  function separation(ra1, dec1, ra2, dec2) result(angle)
    real(dp), intent(in) :: ra1, dec1, ra2, dec2
    real(dp) :: angle
    angle = acos(sin(dec1) * sin(dec2) + cos(dec1) * cos(dec2) * cos(ra1 - ra2)) ! BUG
  end function

  ! The same by Vincenty's formula.
  function separation_vincenty(ra1, dec1, ra2, dec2) result(angle)
    real(dp), intent(in) :: ra1, dec1, ra2, dec2
    real(dp) :: angle, d, top1, top2
    d = ra2 - ra1
    top1 = cos(dec2) * sin(d)
    top2 = cos(dec1) * sin(dec2) - sin(dec1) * cos(dec2) * cos(d)
    angle = atan2(hypot(top1, top2), sin(dec1) * sin(dec2) + cos(dec1) * cos(dec2) * cos(d))
  end function

  ! Speed on an orbit with semi-major axis a, at the radius r.
  function vis_viva(mu, r, a) result(v)
    real(dp), intent(in) :: mu, r, a
    real(dp) :: v
    v = 0.0_dp
    if (mu <= 0.0_dp .or. r <= 0.0_dp .or. a <= 0.0_dp .or. r > 1.9_dp * a) return
    v = sqrt(mu * (2.0_dp / r - 1.0_dp / a))
  end function

  ! Total velocity change of a Hohmann transfer between circular orbits.
  function hohmann(mu, r1, r2) result(dv)
    real(dp), intent(in) :: mu, r1, r2
    real(dp) :: dv
    dv = 0.0_dp
    if (mu <= 0.0_dp .or. r1 <= 0.0_dp .or. r2 <= 0.0_dp) return
    dv = abs(sqrt(mu / r1) * (sqrt(2.0_dp * r2 / (r1 + r2)) - 1.0_dp)) &
       + abs(sqrt(mu / r2) * (1.0_dp - sqrt(2.0_dp * r1 / (r1 + r2))))
  end function

  ! True anomaly of an eccentric anomaly between 0 and pi.
  function true_anomaly(big_e, e) result(nu)
    real(dp), intent(in) :: big_e, e
    real(dp) :: nu
    nu = 0.0_dp
    if (e < 0.0_dp .or. e >= 1.0_dp .or. big_e < 0.0_dp .or. big_e > 3.14_dp) return
    nu = acos((cos(big_e) - e) / (1.0_dp - e * cos(big_e))) ! BUG
  end function

end module
