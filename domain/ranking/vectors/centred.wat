;; The kernels of centring, 4 components at a time; lengths are multiples of 16.
;; centred-kernels.ts contains this module in base64; build it with `wat2wasm centred.wat -o - | base64 -w0` (wabt).
(module
  (memory (export "memory") 1)

  (func $lanes (param $v v128) (result f32)
    (f32.add
      (f32.add (f32x4.extract_lane 0 (local.get $v)) (f32x4.extract_lane 1 (local.get $v)))
      (f32.add (f32x4.extract_lane 2 (local.get $v)) (f32x4.extract_lane 3 (local.get $v)))))

  ;; Loads four int8 from an address, as i32x4.
  (func $four (param $at i32) (result v128)
    (i32x4.extend_low_i16x8_s (i16x8.extend_low_i8x16_s (v128.load32_zero (local.get $at)))))

  ;; Dot product of the source with itself.
  (func (export "square") (param $source i32) (param $length i32) (result i32)
    (local $i i32) (local $v v128) (local $sum v128)
    (loop $next
      (local.set $v (call $four (i32.add (local.get $source) (local.get $i))))
      (local.set $sum (i32x4.add (local.get $sum) (i32x4.mul (local.get $v) (local.get $v))))
      (local.set $i (i32.add (local.get $i) (i32.const 4)))
      (br_if $next (i32.lt_u (local.get $i) (local.get $length))))
    (i32.add
      (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
      (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum)))))

  ;; sum[i] += source[i] * scale, in i32.
  (func (export "accumulate") (param $source i32) (param $sum i32) (param $length i32) (param $scale i32)
    (local $i i32) (local $at i32)
    (loop $next
      (local.set $at (i32.add (local.get $sum) (i32.shl (local.get $i) (i32.const 2))))
      (v128.store
        (local.get $at)
        (i32x4.add
          (v128.load (local.get $at))
          (i32x4.mul (call $four (i32.add (local.get $source) (local.get $i))) (i32x4.splat (local.get $scale)))))
      (local.set $i (i32.add (local.get $i) (i32.const 4)))
      (br_if $next (i32.lt_u (local.get $i) (local.get $length)))))

  ;; out[i] = source[i] * scale - mean[i], then scaled to length 1; zeros where its length is close to zero.
  (func (export "centre")
    (param $source i32) (param $mean i32) (param $out i32) (param $length i32) (param $scale f32)
    (local $i i32) (local $at i32) (local $v v128) (local $square v128) (local $norm f32)
    (loop $next
      (local.set $at (i32.shl (local.get $i) (i32.const 2)))
      (local.set $v
        (f32x4.sub
          (f32x4.mul
            (f32x4.convert_i32x4_s (call $four (i32.add (local.get $source) (local.get $i))))
            (f32x4.splat (local.get $scale)))
          (v128.load (i32.add (local.get $mean) (local.get $at)))))
      (v128.store (i32.add (local.get $out) (local.get $at)) (local.get $v))
      (local.set $square (f32x4.add (local.get $square) (f32x4.mul (local.get $v) (local.get $v))))
      (local.set $i (i32.add (local.get $i) (i32.const 4)))
      (br_if $next (i32.lt_u (local.get $i) (local.get $length))))
    (local.set $norm (f32.sqrt (call $lanes (local.get $square))))
    (local.set $v
      (f32x4.splat
        (select
          (f32.div (f32.const 1) (local.get $norm))
          (f32.const 0)
          (f32.gt (local.get $norm) (f32.const 0.001)))))
    (local.set $i (i32.const 0))
    (loop $again
      (local.set $at (i32.add (local.get $out) (i32.shl (local.get $i) (i32.const 2))))
      (v128.store (local.get $at) (f32x4.mul (v128.load (local.get $at)) (local.get $v)))
      (local.set $i (i32.add (local.get $i) (i32.const 4)))
      (br_if $again (i32.lt_u (local.get $i) (local.get $length)))))

  ;; Cosine of `direction`, which has length 1, with own + near * (a + b) + far * (c + d); 0 where that is close to zero.
  ;; From `vectors` on, memory holds own, a, b, c, d and direction, in this order.
  (func (export "window") (param $vectors i32) (param $length i32) (param $near f32) (param $far f32) (result f32)
    (local $i i32) (local $at i32) (local $step i32)
    (local $v v128) (local $square v128) (local $product v128) (local $norm f32)
    (local.set $step (i32.shl (local.get $length) (i32.const 2)))
    (local.set $at (local.get $vectors))
    (loop $next
      (local.set $v
        (f32x4.add
          (v128.load (local.get $at))
          (f32x4.add
            (f32x4.mul
              (f32x4.splat (local.get $near))
              (f32x4.add
                (v128.load (i32.add (local.get $at) (local.get $step)))
                (v128.load (i32.add (local.get $at) (i32.mul (local.get $step) (i32.const 2))))))
            (f32x4.mul
              (f32x4.splat (local.get $far))
              (f32x4.add
                (v128.load (i32.add (local.get $at) (i32.mul (local.get $step) (i32.const 3))))
                (v128.load (i32.add (local.get $at) (i32.mul (local.get $step) (i32.const 4)))))))))
      (local.set $square (f32x4.add (local.get $square) (f32x4.mul (local.get $v) (local.get $v))))
      (local.set $product
        (f32x4.add
          (local.get $product)
          (f32x4.mul (local.get $v) (v128.load (i32.add (local.get $at) (i32.mul (local.get $step) (i32.const 5)))))))
      (local.set $at (i32.add (local.get $at) (i32.const 16)))
      (local.set $i (i32.add (local.get $i) (i32.const 4)))
      (br_if $next (i32.lt_u (local.get $i) (local.get $length))))
    (local.set $norm (f32.sqrt (call $lanes (local.get $square))))
    (select
      (f32.div (call $lanes (local.get $product)) (local.get $norm))
      (f32.const 0)
      (f32.gt (local.get $norm) (f32.const 0.001)))))
