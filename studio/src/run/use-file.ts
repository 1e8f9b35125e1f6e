import { useQuery } from '@tanstack/react-query'
import type { ArtifactView } from 'echelon/client'
import { useEffect, useState } from 'react'
import { echelon } from '../api/client.ts'

/** Bigger files are not loaded to be shown. */
const LARGEST = 20_000_000

/**
 * An address of a file of a run that lives as long as its view. It is loaded with the token of the page, which an
 * image's own request would not have.
 */
export function useFile(run: string, { name, bytes, sha256 }: ArtifactView): string | undefined {
  const { data: file } = useQuery({
    queryKey: ['file', run, name, sha256],
    queryFn: async () => (await echelon().runs.artifact(run, name)).blob(),
    staleTime: Infinity,
    enabled: bytes <= LARGEST,
  })
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    if (file === undefined) return undefined
    const made = URL.createObjectURL(file)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return address
}
