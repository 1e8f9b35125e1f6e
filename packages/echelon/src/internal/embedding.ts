export { loadEmbeddingModel } from '../providers/embedding-models.ts'
