; A positive float that is lost when it is added to 1e12: no real number does that, and every float up to 32767.998 does.
(set-logic QF_FP)
(set-info :status sat)
(define-fun big () Float32 ((_ to_fp 8 24) RNE 1000000000000.0))
(declare-const x Float32)
(assert (fp.gt x ((_ to_fp 8 24) RNE 0.0)))
(assert (fp.eq (fp.add RNE x big) big))
(check-sat)
(get-model)
