/**
 * The key of a record of the topic `usage`. By event, so that the recalls of one organization are spread over all
 * partitions, while all copies of an event share one, whose order decides which is the first.
 */
export const usageKey = (org: string, eventId: string): string => JSON.stringify([org, eventId]);
