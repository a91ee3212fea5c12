/* The templates of task.h. */
    .macro template name
    .global residue_embedded_\name\()_begin
    .global residue_embedded_\name\()_end
residue_embedded_\name\()_begin:
    .incbin "\name\().txt"
residue_embedded_\name\()_end:
    .byte 0
    .endm

    .section .rodata
    template choice
    template coherence_medical
    template coherence_chat
    template conversation_category
    template attributes
    template utility
    template questions
    template anonymize
    template pseudonymize
    template restore
    template abstract_span
    template same_entity
    template entity_relevance
    template rewrite
    template anonymize_alone
    template disclosures
    .section .note.GNU-stack,"",@progbits
