/**
 * The key of a record of the topic `usage`. By event, so that the recalls of one organization are spread over all
 * partitions, while all copies of an event share one, whose order decides which is the first. Earlier releases used the
 * organization alone: usage is summed by event, so both kinds of records add up.
 */
export const usageKey = (org: string, eventId: string): string => JSON.stringify([org, eventId]);
