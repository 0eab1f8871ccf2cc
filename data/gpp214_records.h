// The 18 records of a gpp214 file, item by item. Only this file knows the format; reader, writer
// and all sizes use it.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "data/fortran_records.h"
#include "gpp/input.h"
#include "roofline/base/machine.h"

namespace gpp {

/// An array in a record: a vector, and its shape, which the dimensions give.
template <class Vector>
struct ArrayItem {
  Vector& values;
  std::int64_t rows;
  std::int64_t columns;  ///< number of columns, 1 for a vector

  std::int64_t count() const { return roofline::saturating_product(rows, columns); }
};

/// A number that repeats a value of an earlier record.
struct RepeatedItem {
  const std::int32_t& value;
};

/// Calls visit(Record, item...) for each record in file order. An item is a number, an array of
/// three Complex, an ArrayItem or a RepeatedItem. Dimensions are evaluated at each record, so that
/// a reader may fill them in on the way. `AnyInput` is Input or const Input.
template <class AnyInput, class Visit>
void for_each_record(AnyInput& in, Visit&& visit) {
  const auto array = [](auto& values, std::int64_t rows, std::int64_t columns = 1) {
    return ArrayItem<std::remove_reference_t<decltype(values)>>{values, rows, columns};
  };
  visit(Record{1, "dimensions of the calculation", "5 int32"}, in.sig_ntband, in.gvec_ng, in.ncoul,
        in.epsmpi_ngpown_max, in.peinf_ntband_max);
  visit(Record{2, "dimensions of the rank", "5 int32"}, in.peinf_ntband_dist, in.ipe, in.ispin,
        in.ngpown, in.ncouls);
  visit(Record{3, "peinf_indext_dist", "peinf_ntband_max int32"},
        array(in.peinf_indext_dist, in.peinf_ntband_max));
  visit(Record{4, "wfnkq_ekq", "sig_ntband real64"}, array(in.wfnkq_ekq, in.sig_ntband));
  visit(Record{5, "frequencies", "3 int32 and 3 real64"}, in.nstart, in.nend, in.sig_fdf, in.sig_dw,
        in.sig_gamma, in.e_lk);
  visit(Record{6, "inv_igp_index", "epsmpi_ngpown_max int32"},
        array(in.inv_igp_index, in.epsmpi_ngpown_max));
  visit(Record{7, "indinv", "1 + gvec_ng int32"}, RepeatedItem{in.gvec_ng},
        array(in.indinv, in.gvec_ng));
  visit(Record{8, "aqsmtemp", "ncouls x peinf_ntband_max complex128"},
        array(in.aqsmtemp, in.ncouls, in.peinf_ntband_max));
  visit(Record{9, "occupations", "1 int32 and 2 real64"}, in.nvband, in.tol, in.efermi);
  visit(Record{10, "vcoul", "ncoul real64"}, array(in.vcoul, in.ncoul));
  visit(Record{11, "limits", "3 real64"}, in.sexcut, in.limittwo, in.limitone);
  visit(Record{12, "wtilde_array", "ncouls x ngpown complex128"},
        array(in.wtilde_array, in.ncouls, in.ngpown));
  visit(Record{13, "I_eps_array", "ncouls x ngpown complex128"},
        array(in.I_eps_array, in.ncouls, in.ngpown));
  visit(Record{14, "aqsntemp", "ncouls x peinf_ntband_max complex128"},
        array(in.aqsntemp, in.ncouls, in.peinf_ntband_max));
  visit(Record{15, "asxtemp", "3 complex128"}, in.asxtemp);
  visit(Record{16, "achtemp", "3 complex128"}, in.achtemp);
  visit(Record{17, "asxtempref", "3 complex128"}, in.asxtempref);
  visit(Record{18, "achtempref", "3 complex128"}, in.achtempref);
}

template <class Plain>
std::int64_t bytes_of_item(const Plain&) {
  return sizeof(Plain);
}
inline std::int64_t bytes_of_item(const RepeatedItem&) { return sizeof(std::int32_t); }
template <class Vector>
std::int64_t bytes_of_item(const ArrayItem<Vector>& item) {
  return roofline::saturating_product(item.count(), sizeof(typename Vector::value_type));
}

/// The size in bytes of a record with the given items.
template <class... Items>
std::int64_t bytes_of_record(const Items&... items) {
  std::int64_t bytes = 0;
  ((bytes = roofline::saturating_sum(bytes, bytes_of_item(items))), ...);
  return bytes;
}

}  // namespace gpp
