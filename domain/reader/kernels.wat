;; Operations of the reader's encoder. kernels.ts contains this module in base64; build it with
;; `wat2wasm --enable-relaxed-simd kernels.wat -o - | base64 -w0` (wabt).
(module
  (memory (export "memory") 1)
  ;; out[row][col] = (sum over k of a[row][k] * w[col][k] - zero[col]) * rowScale[row] * colScale[col] + bias[col]
  ;; a: `rows` (a multiple of 4) of `depth` values of 7 bits. w: int8, packed: for each 8 columns and each 4
  ;; of the depth, 8 x 4 values. Integers in lanes: the sums are exact on every processor.
  (func (export "dense")
    (param $a i32) (param $apart i32) (param $rows i32) (param $depth i32) (param $w i32) (param $cols i32)
    (param $rowScale i32) (param $colScale i32) (param $zero i32) (param $bias i32) (param $out i32) (param $stride i32)
    (local $r i32) (local $c i32) (local $k i32) (local $p0 i32) (local $p1 i32) (local $p2 i32) (local $p3 i32)
    (local $wp i32) (local $o i32) (local $end i32)
    (local $w0 v128) (local $w1 v128) (local $x v128)
    (local $s00 v128) (local $s01 v128) (local $s10 v128) (local $s11 v128)
    (local $s20 v128) (local $s21 v128) (local $s30 v128) (local $s31 v128)
    (local $z0 v128) (local $z1 v128) (local $m0 v128) (local $m1 v128) (local $b0 v128) (local $b1 v128)
    (local.set $c (i32.const 0))
    (loop $columns
      (local.set $r (i32.const 0))
      (local.set $z0 (v128.load (i32.add (local.get $zero) (i32.shl (local.get $c) (i32.const 2)))))
      (local.set $z1 (v128.load offset=16 (i32.add (local.get $zero) (i32.shl (local.get $c) (i32.const 2)))))
      (local.set $m0 (v128.load (i32.add (local.get $colScale) (i32.shl (local.get $c) (i32.const 2)))))
      (local.set $m1 (v128.load offset=16 (i32.add (local.get $colScale) (i32.shl (local.get $c) (i32.const 2)))))
      (local.set $b0 (v128.load (i32.add (local.get $bias) (i32.shl (local.get $c) (i32.const 2)))))
      (local.set $b1 (v128.load offset=16 (i32.add (local.get $bias) (i32.shl (local.get $c) (i32.const 2)))))
      (loop $lines
        (local.set $p0 (i32.add (local.get $a) (i32.mul (local.get $r) (local.get $apart))))
        (local.set $p1 (i32.add (local.get $p0) (local.get $apart)))
        (local.set $p2 (i32.add (local.get $p1) (local.get $apart)))
        (local.set $p3 (i32.add (local.get $p2) (local.get $apart)))
        (local.set $end (i32.add (local.get $p0) (local.get $depth)))
        (local.set $wp (i32.add (local.get $w) (i32.mul (local.get $c) (local.get $depth))))
        (local.set $s00 (v128.const i32x4 0 0 0 0)) (local.set $s01 (v128.const i32x4 0 0 0 0))
        (local.set $s10 (v128.const i32x4 0 0 0 0)) (local.set $s11 (v128.const i32x4 0 0 0 0))
        (local.set $s20 (v128.const i32x4 0 0 0 0)) (local.set $s21 (v128.const i32x4 0 0 0 0))
        (local.set $s30 (v128.const i32x4 0 0 0 0)) (local.set $s31 (v128.const i32x4 0 0 0 0))
        (loop $deep
          (local.set $w0 (v128.load (local.get $wp)))
          (local.set $w1 (v128.load offset=16 (local.get $wp)))
          (local.set $x (v128.load32_splat (local.get $p0)))
          (local.set $s00 (i32x4.relaxed_dot_i8x16_i7x16_add_s (local.get $w0) (local.get $x) (local.get $s00)))
          (local.set $s01 (i32x4.relaxed_dot_i8x16_i7x16_add_s (local.get $w1) (local.get $x) (local.get $s01)))
          (local.set $x (v128.load32_splat (local.get $p1)))
          (local.set $s10 (i32x4.relaxed_dot_i8x16_i7x16_add_s (local.get $w0) (local.get $x) (local.get $s10)))
          (local.set $s11 (i32x4.relaxed_dot_i8x16_i7x16_add_s (local.get $w1) (local.get $x) (local.get $s11)))
          (local.set $x (v128.load32_splat (local.get $p2)))
          (local.set $s20 (i32x4.relaxed_dot_i8x16_i7x16_add_s (local.get $w0) (local.get $x) (local.get $s20)))
          (local.set $s21 (i32x4.relaxed_dot_i8x16_i7x16_add_s (local.get $w1) (local.get $x) (local.get $s21)))
          (local.set $x (v128.load32_splat (local.get $p3)))
          (local.set $s30 (i32x4.relaxed_dot_i8x16_i7x16_add_s (local.get $w0) (local.get $x) (local.get $s30)))
          (local.set $s31 (i32x4.relaxed_dot_i8x16_i7x16_add_s (local.get $w1) (local.get $x) (local.get $s31)))
          (local.set $wp (i32.add (local.get $wp) (i32.const 32)))
          (local.set $p0 (i32.add (local.get $p0) (i32.const 4)))
          (local.set $p1 (i32.add (local.get $p1) (i32.const 4)))
          (local.set $p2 (i32.add (local.get $p2) (i32.const 4)))
          (local.set $p3 (i32.add (local.get $p3) (i32.const 4)))
          (br_if $deep (i32.lt_u (local.get $p0) (local.get $end))))
        (local.set $o (i32.add (local.get $out)
          (i32.add (i32.mul (local.get $r) (local.get $stride)) (i32.shl (local.get $c) (i32.const 2)))))
        (local.set $x (v128.load32_splat (i32.add (local.get $rowScale) (i32.shl (local.get $r) (i32.const 2)))))
        (v128.store (local.get $o) (f32x4.add (local.get $b0) (f32x4.mul (f32x4.mul (local.get $x) (local.get $m0)) (f32x4.convert_i32x4_s (i32x4.sub (local.get $s00) (local.get $z0))))))
        (v128.store offset=16 (local.get $o) (f32x4.add (local.get $b1) (f32x4.mul (f32x4.mul (local.get $x) (local.get $m1)) (f32x4.convert_i32x4_s (i32x4.sub (local.get $s01) (local.get $z1))))))
        (local.set $o (i32.add (local.get $o) (local.get $stride)))
        (local.set $x (v128.load32_splat offset=4 (i32.add (local.get $rowScale) (i32.shl (local.get $r) (i32.const 2)))))
        (v128.store (local.get $o) (f32x4.add (local.get $b0) (f32x4.mul (f32x4.mul (local.get $x) (local.get $m0)) (f32x4.convert_i32x4_s (i32x4.sub (local.get $s10) (local.get $z0))))))
        (v128.store offset=16 (local.get $o) (f32x4.add (local.get $b1) (f32x4.mul (f32x4.mul (local.get $x) (local.get $m1)) (f32x4.convert_i32x4_s (i32x4.sub (local.get $s11) (local.get $z1))))))
        (local.set $o (i32.add (local.get $o) (local.get $stride)))
        (local.set $x (v128.load32_splat offset=8 (i32.add (local.get $rowScale) (i32.shl (local.get $r) (i32.const 2)))))
        (v128.store (local.get $o) (f32x4.add (local.get $b0) (f32x4.mul (f32x4.mul (local.get $x) (local.get $m0)) (f32x4.convert_i32x4_s (i32x4.sub (local.get $s20) (local.get $z0))))))
        (v128.store offset=16 (local.get $o) (f32x4.add (local.get $b1) (f32x4.mul (f32x4.mul (local.get $x) (local.get $m1)) (f32x4.convert_i32x4_s (i32x4.sub (local.get $s21) (local.get $z1))))))
        (local.set $o (i32.add (local.get $o) (local.get $stride)))
        (local.set $x (v128.load32_splat offset=12 (i32.add (local.get $rowScale) (i32.shl (local.get $r) (i32.const 2)))))
        (v128.store (local.get $o) (f32x4.add (local.get $b0) (f32x4.mul (f32x4.mul (local.get $x) (local.get $m0)) (f32x4.convert_i32x4_s (i32x4.sub (local.get $s30) (local.get $z0))))))
        (v128.store offset=16 (local.get $o) (f32x4.add (local.get $b1) (f32x4.mul (f32x4.mul (local.get $x) (local.get $m1)) (f32x4.convert_i32x4_s (i32x4.sub (local.get $s31) (local.get $z1))))))
        (br_if $lines (i32.lt_u (local.tee $r (i32.add (local.get $r) (i32.const 4))) (local.get $rows))))
      (br_if $columns (i32.lt_u (local.tee $c (i32.add (local.get $c) (i32.const 8))) (local.get $cols)))))

  (func (export "quantize") (param $x i32) (param $factors i32) (param $rows i32) (param $width i32) (param $out i32) (param $scales i32) (param $limit f32) (param $at i32)
    (local $p i32) (local $f i32) (local $end i32) (local $most v128) (local $inverse v128) (local $peak f32) (local $zero v128)
    (local.set $zero (i32x4.splat (local.get $at)))
    (loop $lines
      (local.set $end (i32.add (local.get $x) (i32.shl (local.get $width) (i32.const 2))))
      (local.set $p (local.get $x))
      (local.set $f (local.get $factors))
      (local.set $most (v128.const f32x4 1e-9 1e-9 1e-9 1e-9))
      (loop $each
        (local.set $most
          (f32x4.pmax
            (local.get $most)
            (f32x4.abs (f32x4.mul (v128.load (local.get $p)) (v128.load (local.get $f))))))
        (local.set $f (i32.add (local.get $f) (i32.const 16)))
        (br_if $each (i32.lt_u (local.tee $p (i32.add (local.get $p) (i32.const 16))) (local.get $end))))
      (local.set $peak
        (f32.max
          (f32.max (f32x4.extract_lane 0 (local.get $most)) (f32x4.extract_lane 1 (local.get $most)))
          (f32.max (f32x4.extract_lane 2 (local.get $most)) (f32x4.extract_lane 3 (local.get $most)))))
      (f32.store (local.get $scales) (f32.div (local.get $peak) (local.get $limit)))
      (local.set $inverse (f32x4.splat (f32.div (local.get $limit) (local.get $peak))))
      (local.set $p (local.get $x))
      (local.set $f (local.get $factors))
      (loop $four
        (v128.store (local.get $out)
          (i8x16.narrow_i16x8_s
            (i16x8.narrow_i32x4_s
              (i32x4.add (local.get $zero) (call $nearest (f32x4.mul (f32x4.mul (local.get $inverse) (v128.load (local.get $f))) (v128.load (local.get $p)))))
              (i32x4.add (local.get $zero) (call $nearest (f32x4.mul (f32x4.mul (local.get $inverse) (v128.load offset=16 (local.get $f))) (v128.load offset=16 (local.get $p))))))
            (i16x8.narrow_i32x4_s
              (i32x4.add (local.get $zero) (call $nearest (f32x4.mul (f32x4.mul (local.get $inverse) (v128.load offset=32 (local.get $f))) (v128.load offset=32 (local.get $p)))))
              (i32x4.add (local.get $zero) (call $nearest (f32x4.mul (f32x4.mul (local.get $inverse) (v128.load offset=48 (local.get $f))) (v128.load offset=48 (local.get $p))))))))
        (local.set $out (i32.add (local.get $out) (i32.const 16)))
        (local.set $f (i32.add (local.get $f) (i32.const 64)))
        (br_if $four (i32.lt_u (local.tee $p (i32.add (local.get $p) (i32.const 64))) (local.get $end))))
      (local.set $x (local.get $end))
      (local.set $scales (i32.add (local.get $scales) (i32.const 4)))
      (br_if $lines (local.tee $rows (i32.sub (local.get $rows) (i32.const 1))))))

  (func (export "normalize") (param $x i32) (param $y i32) (param $rows i32) (param $width i32) (param $weight i32) (param $bias i32)
    (local $p i32) (local $q i32) (local $w i32) (local $b i32) (local $end i32)
    (local $sum v128) (local $squares v128) (local $v v128) (local $mean f32) (local $inverse f32)
    (loop $lines
      (local.set $end (i32.add (local.get $x) (i32.shl (local.get $width) (i32.const 2))))
      (local.set $p (local.get $x))
      (local.set $q (local.get $y))
      (local.set $sum (v128.const f32x4 0 0 0 0))
      (loop $add
        (local.set $v (f32x4.add (v128.load (local.get $p)) (v128.load (local.get $q))))
        (v128.store (local.get $p) (local.get $v))
        (local.set $sum (f32x4.add (local.get $sum) (local.get $v)))
        (local.set $q (i32.add (local.get $q) (i32.const 16)))
        (br_if $add (i32.lt_u (local.tee $p (i32.add (local.get $p) (i32.const 16))) (local.get $end))))
      (local.set $mean
        (f32.div
          (f32.add
            (f32.add (f32x4.extract_lane 0 (local.get $sum)) (f32x4.extract_lane 1 (local.get $sum)))
            (f32.add (f32x4.extract_lane 2 (local.get $sum)) (f32x4.extract_lane 3 (local.get $sum))))
          (f32.convert_i32_u (local.get $width))))
      (local.set $p (local.get $x))
      (local.set $squares (v128.const f32x4 0 0 0 0))
      (loop $square
        (local.set $v (f32x4.sub (v128.load (local.get $p)) (f32x4.splat (local.get $mean))))
        (v128.store (local.get $p) (local.get $v))
        (local.set $squares (f32x4.add (local.get $squares) (f32x4.mul (local.get $v) (local.get $v))))
        (br_if $square (i32.lt_u (local.tee $p (i32.add (local.get $p) (i32.const 16))) (local.get $end))))
      (local.set $inverse
        (f32.div
          (f32.const 1)
          (f32.sqrt
            (f32.add
              (f32.const 1e-12)
              (f32.div
                (f32.add
                  (f32.add (f32x4.extract_lane 0 (local.get $squares)) (f32x4.extract_lane 1 (local.get $squares)))
                  (f32.add (f32x4.extract_lane 2 (local.get $squares)) (f32x4.extract_lane 3 (local.get $squares))))
                (f32.convert_i32_u (local.get $width)))))))
      (local.set $p (local.get $x))
      (local.set $w (local.get $weight))
      (local.set $b (local.get $bias))
      (loop $scale
        (v128.store (local.get $p)
          (f32x4.add
            (v128.load (local.get $b))
            (f32x4.mul
              (v128.load (local.get $w))
              (f32x4.mul (f32x4.splat (local.get $inverse)) (v128.load (local.get $p))))))
        (local.set $w (i32.add (local.get $w) (i32.const 16)))
        (local.set $b (i32.add (local.get $b) (i32.const 16)))
        (br_if $scale (i32.lt_u (local.tee $p (i32.add (local.get $p) (i32.const 16))) (local.get $end))))
      (local.set $x (local.get $end))
      (local.set $y (local.get $q))
      (br_if $lines (local.tee $rows (i32.sub (local.get $rows) (i32.const 1))))))

  ;; The nearest integers, ties to even: 3 * 2^22 leaves a float no room for a fraction. Beyond 2^22 they stay
  ;; in order, which is all that a bounded index needs.
  (func $nearest (param $x v128) (result v128)
    (i32x4.sub
      (f32x4.add (local.get $x) (v128.const f32x4 12582912 12582912 12582912 12582912))
      (v128.const i32x4 0x4b400000 0x4b400000 0x4b400000 0x4b400000)))

  ;; Index into a table: (x + offset) * steps, to the nearest, within 0 and last.
  (func $index (param $x v128) (param $offset f32) (param $steps f32) (param $last i32) (result v128)
    (i32x4.min_s
      (i32x4.splat (local.get $last))
      (i32x4.max_s
        (v128.const i32x4 0 0 0 0)
        (call $nearest
          (f32x4.mul
            (f32x4.splat (local.get $steps))
            (f32x4.add (f32x4.splat (local.get $offset)) (local.get $x)))))))

  (func (export "shares") (param $x i32) (param $rows i32) (param $columns i32) (param $table i32) (param $steps f32) (param $last i32) (param $out i32) (param $scales i32)
    (local $p i32) (local $end i32) (local $most v128) (local $best f32) (local $at v128) (local $sum i32)
    (local $a i32) (local $b i32) (local $c i32) (local $d i32)
    (loop $lines
      (local.set $end (i32.add (local.get $x) (i32.shl (local.get $columns) (i32.const 2))))
      (local.set $p (local.get $x))
      (local.set $most (v128.load (local.get $p)))
      (loop $each
        (local.set $most (f32x4.pmax (local.get $most) (v128.load (local.get $p))))
        (br_if $each (i32.lt_u (local.tee $p (i32.add (local.get $p) (i32.const 16))) (local.get $end))))
      (local.set $best
        (f32.max
          (f32.max (f32x4.extract_lane 0 (local.get $most)) (f32x4.extract_lane 1 (local.get $most)))
          (f32.max (f32x4.extract_lane 2 (local.get $most)) (f32x4.extract_lane 3 (local.get $most)))))
      (local.set $p (local.get $x))
      (local.set $sum (i32.const 0))
      (loop $four
        (local.set $at
          (call $index
            (f32x4.neg (v128.load (local.get $p)))
            (local.get $best) (local.get $steps) (local.get $last)))
        (local.set $a (i32.load8_u (i32.add (local.get $table) (i32x4.extract_lane 0 (local.get $at)))))
        (local.set $b (i32.load8_u (i32.add (local.get $table) (i32x4.extract_lane 1 (local.get $at)))))
        (local.set $c (i32.load8_u (i32.add (local.get $table) (i32x4.extract_lane 2 (local.get $at)))))
        (local.set $d (i32.load8_u (i32.add (local.get $table) (i32x4.extract_lane 3 (local.get $at)))))
        (local.set $sum
          (i32.add
            (local.get $sum)
            (i32.add (i32.add (local.get $a) (local.get $b)) (i32.add (local.get $c) (local.get $d)))))
        (i32.store
          (local.get $out)
          (i32.or
            (i32.or (local.get $a) (i32.shl (local.get $b) (i32.const 8)))
            (i32.or (i32.shl (local.get $c) (i32.const 16)) (i32.shl (local.get $d) (i32.const 24)))))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (br_if $four (i32.lt_u (local.tee $p (i32.add (local.get $p) (i32.const 16))) (local.get $end))))
      (f32.store (local.get $scales) (f32.div (f32.const 1) (f32.convert_i32_u (local.get $sum))))
      (local.set $scales (i32.add (local.get $scales) (i32.const 4)))
      (local.set $x (local.get $end))
      (br_if $lines (local.tee $rows (i32.sub (local.get $rows) (i32.const 1))))))

  (func (export "tabulated") (param $x i32) (param $count i32) (param $table i32) (param $offset f32) (param $steps f32) (param $last i32)
    (local $end i32) (local $at v128) (local $v v128) (local $y v128)
    (local.set $end (i32.add (local.get $x) (i32.shl (local.get $count) (i32.const 2))))
    (loop $four
      (local.set $v (v128.load (local.get $x)))
      (local.set $at (i32x4.shl (call $index (local.get $v) (local.get $offset) (local.get $steps) (local.get $last)) (i32.const 2)))
      (local.set $y (f32x4.splat (f32.load (i32.add (local.get $table) (i32x4.extract_lane 0 (local.get $at))))))
      (local.set $y (f32x4.replace_lane 1 (local.get $y) (f32.load (i32.add (local.get $table) (i32x4.extract_lane 1 (local.get $at))))))
      (local.set $y (f32x4.replace_lane 2 (local.get $y) (f32.load (i32.add (local.get $table) (i32x4.extract_lane 2 (local.get $at))))))
      (local.set $y (f32x4.replace_lane 3 (local.get $y) (f32.load (i32.add (local.get $table) (i32x4.extract_lane 3 (local.get $at))))))
      (v128.store
        (local.get $x)
        (v128.bitselect
          (local.get $v) (local.get $y)
          (f32x4.ge (local.get $v) (f32x4.splat (local.get $offset)))))
      (br_if $four (i32.lt_u (local.tee $x (i32.add (local.get $x) (i32.const 16))) (local.get $end))))))
