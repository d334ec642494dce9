/** Words by which the rule of asking.ts tells a question to the person from any other. */

/** Whether a question is put to the person, and not to the text itself ("Why? Because …"). */
export const isAddressed = (sentence: string): boolean => address.some(pattern => pattern.test(sentence));

const address = [
  /\b(?:you|your|yours|(?:shall|should|may|can|could) (?:i|we)|let'?s|want|prefer|prefere?nces?|which (?:approach|option|one|way|direction)|ok(?:ay)? to|ready to|sound good|thoughts)\b/i,
  /(?:ます|です|でしょう|ましょう|いい|よい)か[?？。]?$/u,
  /(?:soll(?:en)? (?:ich|wir)|möchtest|möchten sie|willst|wollen sie|\bdu\b|\bdir\b|\bdich\b|\bIhnen\b|\bSie\b|\bwelche[rsn]?\b)/u,
  /¿|\b(?:voulez|veux|souhaitez|souhaites|dois-je|devons-nous|préf[eé]re[sz]?|vous|vuoi|vuole|devo|preferisci|quer|deseja|prefere)\b/iu,
  /(?:吗|嗎|要不要|是否|您|你).*[?？]$/u,
  /(?:할까요|까요|습니까|나요|세요)[?？]?$/u,
];

/** Whether a line asks with the list below it: "Want me to:". */
export const asksWithList = (sentence: string): boolean =>
  /^(?:do you|would you|want|should (?:i|we)|shall (?:i|we)|can you|could you|soll ich|möchtest du)\b.*[:：]$/iu.test(
    sentence,
  );

/** Whether a question only offers more help, so that no answer is needed. */
export const isCloser = (sentence: string): boolean => closers.some(pattern => pattern.test(sentence));

const closers = [
  /(?<!\bor (?:is there )?)\b(?:anything|something) (?:else|more|further)\b/i,
  /\b(?:any|more|other|further) (?:\w+ )?questions\b/i,
  /\bwhat(?:'s| is| should (?:we|i) (?:do|work on)) next\b/i,
  /\bhow (?:else )?(?:can|may) i help\b/i,
  /(?:sonst|weitere?s?) (?:noch )?(?:etwas|was|fragen)|noch (?:etwas|was|fragen)\b/iu,
  /autre chose|d'autres questions|algo más|alguna otra|outra coisa|mais alguma|qualcos'?altro|altre domande/iu,
  /他に何か|ほかに何か|还有什么|還有什麼|다른 도움/u,
];

/** Whether a sentence asks for a decision or for something that only the person has, without a question mark. */
export const isRequest = (sentence: string): boolean =>
  requests.some(pattern => pattern.test(sentence)) && !offers.some(pattern => pattern.test(sentence));

const requests = [
  /\b(?:let me know|tell me|say|pick|choose|decide) (?:which|whether|how (?:you|to proceed)|what you(?:'d| would| want| prefer| think)|who|where)\b/i,
  /\b(?:please|kindly) (?:confirm|approve|choose|pick|decide|provide|share|paste|specify|clarify|tell me|let me know (?:which|whether|how|what))\b/i,
  /\b(?:i|we) (?:need|require) (?:your|you to)\b/i,
  /\b(?:waiting|wait|holding|pausing) (?:for|on) your\b/i,
  /\bawaiting your\b/i,
  /\b(?:could|can) you (?:please )?(?:confirm|clarify|provide|share|paste|tell)\b/i,
  /\bbitte (?:bestätig|entscheid|wähl|sag|teil|gib)/iu,
  /\b(?:merci de|veuillez) (?:confirmer|choisir|préciser)|\bpor favor,? (?:confirma|elige|indica)/iu,
  /(?:教えて|選んで|確認して|指定して)ください|请(?:确认|选择|告诉)/u,
];

const offers = [
  /(?:れば|なら|たら|場合)[^。]*(?:ください|下さい)/u,
  /\bif (?:you|there|anything|something)\b/i,
  /\b(?:feel free|when(?:ever)? you|once you)\b/i,
];
