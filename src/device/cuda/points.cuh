#pragma once
/// Points of G1 (F = Fp) and G2 (F = Fp2). Complete: infinity, equal and opposite points included.
/// XYZZ formulas: madd-2008-s, add-2008-s, mdbl-2008-s-1 and dbl-2008-s-1 of the Explicit-Formulas Database.
#include "device/cuda/fields.cuh"

namespace proofline::cuda {

/// Infinity is (0, 0), as in blst.
template <class F>
struct alignas(16) Affine {
  F x, y;

  __device__ static __forceinline__ Affine infinity() { return {F::zero(), F::zero()}; }
  __device__ __forceinline__ bool is_infinity() const { return x.is_zero() && y.is_zero(); }
};

template <class F>
struct Xyzz;
/// Apart, so that additions, which seldom meet equal points, stay small.
template <class F>
__device__ __noinline__ void double_at(Xyzz<F>* p);

/// x = X / ZZ, y = Y / ZZZ with ZZ^3 = ZZZ^2; infinity has ZZ = 0.
template <class F>
struct alignas(16) Xyzz {
  F x, y, zz, zzz;

  __device__ static __forceinline__ Xyzz infinity() { return {F::zero(), F::zero(), F::zero(), F::zero()}; }
  __device__ static __forceinline__ Xyzz from(const Affine<F>& p) {
    return p.is_infinity() ? infinity() : Xyzz{p.x, p.y, F::one(), F::one()};
  }
  __device__ __forceinline__ bool is_infinity() const { return zz.is_zero(); }

  __device__ __forceinline__ void add(const Affine<F>& p) {
    if (p.is_infinity()) return;
    if (is_infinity()) {
      *this = from(p);
      return;
    }
    const F dx = p.x * zz - x, dy = p.y * zzz - y;
    finish(dx, dy, x, y, zz, zzz);
  }
  __device__ __forceinline__ void add(const Xyzz& p) {
    if (p.is_infinity()) return;
    if (is_infinity()) {
      *this = p;
      return;
    }
    const F u = x * p.zz, s = y * p.zzz;
    const F dx = p.x * zz - u, dy = p.y * zzz - s;
    finish(dx, dy, u, s, zz * p.zz, zzz * p.zzz);
  }

 private:
  __device__ __forceinline__ void finish(const F& dx, const F& dy, const F& u, const F& s, const F& z2, const F& z3) {
    if (dx.is_zero()) {
      if (dy.is_zero()) {
        // A copy: taking the address of *this would keep it in memory everywhere.
        Xyzz copy = *this;
        double_at(&copy);
        *this = copy;
      } else {
        *this = infinity();
      }
      return;
    }
    const F dx2 = dx.square(), dx3 = dx * dx2, q = u * dx2;
    const F x3 = dy.square() - dx3 - q.doubled();
    y = dy * (q - x3) - s * dx3;
    x = x3;
    zz = z2 * dx2;
    zzz = z3 * dx3;
  }
};

template <class F>
__device__ __noinline__ void double_at(Xyzz<F>* p) {
  if (p->is_infinity()) return;
  const F u = p->y.doubled(), v = u.square(), w = u * v, s = p->x * v;
  const F square = p->x.square(), m = square.doubled() + square;
  const F x3 = m.square() - s.doubled();
  p->y = m * (s - x3) - w * p->y;
  p->x = x3;
  p->zz = v * p->zz;
  p->zzz = w * p->zzz;
}

template <class F>
__device__ __noinline__ void add_at(Xyzz<F>* to, const Xyzz<F>* p) {
  Xyzz<F> sum = *to;
  sum.add(*p);
  *to = sum;
}

/// multiple * p.
template <class F>
__device__ __forceinline__ Xyzz<F> multiple(const Xyzz<F>& p, std::uint32_t factor) {
  Xyzz<F> out = Xyzz<F>::infinity();
#pragma unroll 1
  for (int bit = 31 - __clz(factor | 1); bit >= 0; --bit) {
    double_at(&out);
    if (factor >> bit & 1) add_at(&out, &p);
  }
  return out;
}

}  // namespace proofline::cuda
