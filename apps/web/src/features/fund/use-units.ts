import { useTranslation } from '../../lib/index.ts'

/** Writes whole units with their word: "1,250 units". */
export function useUnits(): (units: string) => string {
  const { t } = useTranslation()
  // Units may pass 2^53: grouped as text, and counted only as one or more.
  return (units) =>
    t('fund.units', {
      count: units === '1' ? 1 : 2,
      text: units.replace(/\B(?=(\d{3})+$)/g, ','),
    })
}
