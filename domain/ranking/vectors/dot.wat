;; Dot products of one int8 row with `count` consecutive int8 vectors, 16 components at a time.
;; dot.ts contains this module in base64; build it with `wat2wasm dot.wat -o - | base64 -w0` (wabt).
(module
  (memory (export "memory") 1)
  (func (export "dots")
    (param $row i32) (param $vectors i32) (param $count i32) (param $length i32) (param $out i32)
    (local $i i32) (local $sum v128) (local $a v128) (local $b v128)
    (block $done
      (loop $each
        (br_if $done (i32.eqz (local.get $count)))
        (local.set $sum (v128.const i32x4 0 0 0 0))
        (local.set $i (i32.const 0))
        (loop $next
          (local.set $a (v128.load (i32.add (local.get $row) (local.get $i))))
          (local.set $b (v128.load (i32.add (local.get $vectors) (local.get $i))))
          (local.set $sum
            (i32x4.add
              (local.get $sum)
              (i32x4.add
                (i32x4.dot_i16x8_s
                  (i16x8.extend_low_i8x16_s (local.get $a)) (i16x8.extend_low_i8x16_s (local.get $b)))
                (i32x4.dot_i16x8_s
                  (i16x8.extend_high_i8x16_s (local.get $a)) (i16x8.extend_high_i8x16_s (local.get $b))))))
          (local.set $i (i32.add (local.get $i) (i32.const 16)))
          (br_if $next (i32.lt_u (local.get $i) (local.get $length))))
        (i32.store
          (local.get $out)
          (i32.add
            (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
            (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum)))))
        (local.set $vectors (i32.add (local.get $vectors) (local.get $length)))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (local.set $count (i32.sub (local.get $count) (i32.const 1)))
        (br $each)))))
