#include "surefield/models/families.hpp"

namespace surefield {

template AnyModel::AnyModel(BlackBox);
template AnyModel::AnyModel(ConcaveOverModular);
template AnyModel::AnyModel(Coverage);
template AnyModel::AnyModel(FacilityLocation);
template AnyModel::AnyModel(Fldc);
template AnyModel::AnyModel(Flid);
template AnyModel::AnyModel(GibbsField);
template AnyModel::AnyModel(GraphCut);
template AnyModel::AnyModel(HypergraphCut);
template AnyModel::AnyModel(LogDet);
template AnyModel::AnyModel(PairwiseField);
template AnyModel::AnyModel(WeightedSum);

}  // namespace surefield
