import { MODEL_ANSWERS } from '../readers/model-answers.ts'
import { fuzz } from './fuzz.ts'

fuzz('what a model answers', MODEL_ANSWERS)
