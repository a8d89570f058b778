! Moist air.
module atmosphere
  implicit none
  integer, parameter :: dp = kind(1.0d0)
contains

  ! Saturation vapour pressure (hPa) over water, after Magnus.
  pure function vapour_pressure(celsius) result(e)
    real(dp), intent(in) :: celsius
    real(dp) :: e
    e = 0.0_dp
    if (celsius < -80.0_dp .or. celsius > 60.0_dp) return
    e = 6.112_dp * exp(17.62_dp * celsius / (243.12_dp + celsius))
  end function

  ! Dew point for a relative humidity in percent.
  pure function dew_point(celsius, humidity) result(dew)
    real(dp), intent(in) :: celsius, humidity
    real(dp) :: dew, g
    dew = -999.0_dp
    if (celsius < -80.0_dp .or. celsius > 60.0_dp) return
    if (humidity < 1.0_dp .or. humidity > 100.0_dp) return
    g = log(humidity / 100.0_dp) + 17.62_dp * celsius / (243.12_dp + celsius)
    dew = 243.12_dp * g / (17.62_dp - g)
  end function

  ! Supersaturation over a curved, salty droplet (Koehler), less one.
  pure function supersaturation(radius, a, b) result(s)
    real(dp), intent(in) :: radius, a, b
    real(dp) :: s
    s = 0.0_dp
    if (radius <= 0.0_dp) return
    s = exp(a / radius - b / radius**3) - 1.0_dp ! BUG
  end function

  ! Share of the light that a layer absorbs.
  pure function absorbed(cross_section, density, path) result(share)
    real(dp), intent(in) :: cross_section, density, path
    real(dp) :: share
    share = 0.0_dp
    if (cross_section < 0.0_dp .or. density < 0.0_dp .or. path < 0.0_dp) return
    share = 1.0_dp - exp(-cross_section * density * path) ! BUG
  end function

  ! Wind speed and direction (degrees) from components.
  pure subroutine wind(u, v, speed, direction)
    real(dp), intent(in) :: u, v
    real(dp), intent(out) :: speed, direction
    speed = hypot(u, v)
    direction = 0.0_dp
    if (speed > 0.0_dp) direction = modulo(180.0_dp + atan2(u, v) * 57.29577951308232_dp, 360.0_dp)
  end subroutine

  ! Height (m) at which the standard atmosphere has this pressure (hPa).
  pure function altitude(pressure) result(h)
    real(dp), intent(in) :: pressure
    real(dp) :: h
    h = 0.0_dp
    if (pressure < 100.0_dp .or. pressure > 1100.0_dp) return
    h = 44330.77_dp * (1.0_dp - (pressure / 1013.25_dp)**0.190263_dp)
  end function

end module
