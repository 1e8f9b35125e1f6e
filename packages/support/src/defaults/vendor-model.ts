import type { BoundModel, Price, ProviderSettings } from 'echelon/providers'
import { pricesAtOnce, unknownPrice } from 'echelon/internal/providers'
import type { ModelToLoad } from '../model-provider.ts'

/** A vendor's model, and how to reach it. Omitted settings come from the configuration. */
export interface VendorOptions extends ProviderSettings {
  /** The vendor's name for it. */
  readonly model?: string
}

/** A source of models by name, such as `configuredModels`. */
export interface NamedModels {
  resolve(name: string, settings?: Readonly<Record<string, ProviderSettings>>): Promise<BoundModel>
}

/** A vendor's model by name. Until it is loaded, its price comes from the price list. */
export function vendorModel(
  vendor: 'openai' | 'anthropic',
  { model, ...settings }: VendorOptions & { readonly model: string },
  models: NamedModels,
): ModelToLoad {
  const id = `${vendor}/${model}`
  let price: Price | undefined
  return {
    id,
    load: async () => await models.resolve(id, { [vendor]: settings }),
    price: (usage) =>
      settings.price === undefined
        ? (price ??= pricesAtOnce()?.priceOf(vendor, model) ?? unknownPrice)(usage)
        : (usage.input * settings.price.inputPerMillion +
            usage.output * settings.price.outputPerMillion) /
          1e6,
  }
}
