C     Fortran 77, in fixed form.
      SUBROUTINE SOLVE2(UPLO, A, B, X)
      CHARACTER UPLO
      DOUBLE PRECISION A(2,2), B(2), X(2)
      LOGICAL LSAME
      EXTERNAL LSAME
      IF (LSAME(UPLO, 'U')) THEN
         X(2) = B(2) / A(2,2)
         X(1) = (B(1) - A(1,2) * X(2)) / A(1,1)
      ELSE IF (LSAME(UPLO, 'L')) THEN
         X(1) = B(1) / A(1,1)
         X(2) = (B(2) - A(2,1) * X(1)) / A(2,2)
      END IF
      END

      LOGICAL FUNCTION LSAME(CA, CB)
      CHARACTER CA, CB
      LSAME = CA .EQ. CB
      END

      DOUBLE PRECISION FUNCTION TRAPEZ(F, A, B)
      DOUBLE PRECISION F, A, B
      EXTERNAL F
      TRAPEZ = (B - A) / 2 * (F(A) + F(B))
      END

      SUBROUTINE STEP(FCN, N, X, FVEC, WA)
      INTEGER N, I, IFLAG
      DOUBLE PRECISION X(N), FVEC(N), WA(N)
      EXTERNAL FCN
      IFLAG = 1
      CALL FCN(N, X, FVEC, IFLAG)
      DO 10 I = 1, N
         WA(I) = X(I) + 1.0D-6
   10 CONTINUE
      CALL FCN(N, WA, FVEC, IFLAG)
      DO 20 I = 1, N
         WA(I) = (FVEC(I) + 2.0D0) - X(I) * X(I)
   20 CONTINUE
      END

      SUBROUTINE STEPS(FCN, N, X, FVEC, WA)
      INTEGER N
      DOUBLE PRECISION X(N), FVEC(N), WA(N)
      EXTERNAL FCN
      CALL STEP(FCN, N, X, FVEC, WA)
      END

      COMPLEX*16 FUNCTION CDIVIDE(Z, W)
      COMPLEX*16 Z, W
      CDIVIDE = Z / W - 1
      END

      SUBROUTINE ZSHIFT(N, ZA, ZX)
      INTEGER N, I
      COMPLEX*16 ZA, ZX(*)
      DO 10 I = 1, N
         ZX(I) = ZX(I) - ZA
   10 CONTINUE
      END
