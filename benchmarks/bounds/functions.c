// The functions of `faultline bench bounds`: those of FPBench for which tools that prove bounds have published figures.
// Names of FPBench's authors; ranges and figures stand in published.csv.
#include <math.h>

double azimuth(double lat1, double lat2, double lon1, double lon2) {
  double dLon = (lon2 - lon1);
  double s_lat1 = sin(lat1);
  double c_lat1 = cos(lat1);
  double s_lat2 = sin(lat2);
  double c_lat2 = cos(lat2);
  double s_dLon = sin(dLon);
  double c_dLon = cos(dLon);
  return atan(((c_lat2 * s_dLon) / ((c_lat1 * s_lat2) - ((s_lat1 * c_lat2) * c_dLon))));
}

double carbonGas(double v) {
  double p = 35000000.0;
  double a = 0.401;
  double b = 4.27e-05;
  double t = 300.0;
  double n = 1000.0;
  double k = 1.3806503e-23;
  return (((p + ((a * (n / v)) * (n / v))) * (v - (n * b))) - ((k * n) * t));
}

double doppler1(double u, double v, double T) {
  double t1 = (331.4 + (0.6 * T));
  return (((-t1) * v) / ((t1 + u) * (t1 + u)));
}

double doppler2(double u, double v, double T) {
  double t1 = (331.4 + (0.6 * T));
  return (((-t1) * v) / ((t1 + u) * (t1 + u)));
}

double doppler3(double u, double v, double T) {
  double t1 = (331.4 + (0.6 * T));
  return (((-t1) * v) / ((t1 + u) * (t1 + u)));
}

double hartman3(double x1, double x2, double x3) {
  double e1 = (((3.0 * ((x1 - 0.3689) * (x1 - 0.3689))) + (10.0 * ((x2 - 0.117) * (x2 - 0.117)))) +
               (30.0 * ((x3 - 0.2673) * (x3 - 0.2673))));
  double e2 = (((0.1 * ((x1 - 0.4699) * (x1 - 0.4699))) + (10.0 * ((x2 - 0.4387) * (x2 - 0.4387)))) +
               (35.0 * ((x3 - 0.747) * (x3 - 0.747))));
  double e3 = (((3.0 * ((x1 - 0.1091) * (x1 - 0.1091))) + (10.0 * ((x2 - 0.8732) * (x2 - 0.8732)))) +
               (30.0 * ((x3 - 0.5547) * (x3 - 0.5547))));
  double e4 = (((0.1 * ((x1 - 0.03815) * (x1 - 0.03815))) + (10.0 * ((x2 - 0.5743) * (x2 - 0.5743)))) +
               (35.0 * ((x3 - 0.8828) * (x3 - 0.8828))));
  double exp1 = exp((-e1));
  double exp2 = exp((-e2));
  double exp3 = exp((-e3));
  double exp4 = exp((-e4));
  return (-((((1.0 * exp1) + (1.2 * exp2)) + (3.0 * exp3)) + (3.2 * exp4)));
}

double himmilbeau(double x1, double x2) {
  double a = (((x1 * x1) + x2) - 11.0);
  double b = ((x1 + (x2 * x2)) - 7.0);
  return ((a * a) + (b * b));
}

double jet(double x1, double x2) {
  double t_high = ((((3.0 * x1) * x1) + (2.0 * x2)) - x1);
  double t_low = ((((3.0 * x1) * x1) - (2.0 * x2)) - x1);
  double d = ((x1 * x1) + 1.0);
  double s_high = (t_high / d);
  double s_low = (t_low / d);
  return (x1 + (((((((((2.0 * x1) * s_high) * (s_high - 3.0)) + ((x1 * x1) * ((4.0 * s_high) - 6.0))) * d) +
                   (((3.0 * x1) * x1) * s_high)) +
                  ((x1 * x1) * x1)) +
                 x1) +
                (3.0 * s_low)));
}

double kepler0(double x1, double x2, double x3, double x4, double x5, double x6) {
  return (((((x2 * x5) + (x3 * x6)) - (x2 * x3)) - (x5 * x6)) + (x1 * ((((((-x1) + x2) + x3) - x4) + x5) + x6)));
}

double kepler1(double x1, double x2, double x3, double x4) {
  return ((((((((x1 * x4) * ((((-x1) + x2) + x3) - x4)) + (x2 * (((x1 - x2) + x3) + x4))) +
              (x3 * (((x1 + x2) - x3) + x4))) -
             ((x2 * x3) * x4)) -
            (x1 * x3)) -
           (x1 * x2)) -
          x4);
}

double kepler2(double x1, double x2, double x3, double x4, double x5, double x6) {
  return ((((((((x1 * x4) * ((((((-x1) + x2) + x3) - x4) + x5) + x6)) +
               ((x2 * x5) * (((((x1 - x2) + x3) + x4) - x5) + x6))) +
              ((x3 * x6) * (((((x1 + x2) - x3) + x4) + x5) - x6))) -
             ((x2 * x3) * x4)) -
            ((x1 * x3) * x5)) -
           ((x1 * x2) * x6)) -
          ((x4 * x5) * x6));
}

double logexp(double x) { return log((1.0 + exp(x))); }

double predatorPrey(double x) {
  double r = 4.0;
  double K = 1.11;
  return (((r * x) * x) / (1.0 + ((x / K) * (x / K))));
}

double rigidBody1(double x1, double x2, double x3) { return ((((-(x1 * x2)) - ((2.0 * x2) * x3)) - x1) - x3); }

double rigidBody2(double x1, double x2, double x3) {
  return (((((((2.0 * x1) * x2) * x3) + ((3.0 * x3) * x3)) - (((x2 * x1) * x2) * x3)) + ((3.0 * x3) * x3)) - x2);
}

double sine(double x) {
  return (((x - (((x * x) * x) / 6.0)) + (((((x * x) * x) * x) * x) / 120.0)) -
          (((((((x * x) * x) * x) * x) * x) * x) / 5040.0));
}

double sineOrder3(double x) { return ((0.954929658551372 * x) - (0.12900613773279798 * ((x * x) * x))); }

double sphere(double x, double r, double lat, double lon) {
  double sinLat = sin(lat);
  double cosLon = cos(lon);
  return (x + ((r * sinLat) * cosLon));
}

double sqroot(double x) {
  return ((((1.0 + (0.5 * x)) - ((0.125 * x) * x)) + (((0.0625 * x) * x) * x)) - ((((0.0390625 * x) * x) * x) * x));
}

double turbine1(double v, double w, double r) {
  return (((3.0 + (2.0 / (r * r))) - (((0.125 * (3.0 - (2.0 * v))) * (((w * w) * r) * r)) / (1.0 - v))) - 4.5);
}

double turbine2(double v, double w, double r) {
  return (((6.0 * v) - (((0.5 * v) * (((w * w) * r) * r)) / (1.0 - v))) - 2.5);
}

double turbine3(double v, double w, double r) {
  return (((3.0 - (2.0 / (r * r))) - (((0.125 * (1.0 + (2.0 * v))) * (((w * w) * r) * r)) / (1.0 - v))) - 0.5);
}

double verhulst(double x) {
  double r = 4.0;
  double K = 1.11;
  return ((r * x) / (1.0 + (x / K)));
}
