export {
  type Classifier,
  type ClassifierModel,
  classifierOf,
  fit,
  type LabeledText,
  likelihoods,
  type Trained,
  train,
} from '../classify/classifier.ts'
export { packed, unpacked } from '../classify/packed.ts'
export { MOST_CHARACTERS } from '../classify/features.ts'
export { scoreOf, separable, separate } from '../classify/separate.ts'
export { type Vector, vectoriser, vocabularyOf } from '../classify/vectors.ts'
export {
  isCorrection,
  type SmallTalk,
  type SmallTalkRow,
  smallTalkIn,
  withoutCourtesy,
} from '../classify/small-talk.ts'
