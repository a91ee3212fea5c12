    .section .rodata
    .global residue_embedded_views_begin
    .global residue_embedded_views_end
residue_embedded_views_begin:
    .incbin "views.sql"
residue_embedded_views_end:
    .byte 0
    .global residue_embedded_lexical_weights_begin
    .global residue_embedded_lexical_weights_end
residue_embedded_lexical_weights_begin:
    .incbin "lexical_weights.json"
residue_embedded_lexical_weights_end:
    .byte 0
    .global residue_embedded_published_begin
    .global residue_embedded_published_end
residue_embedded_published_begin:
    .incbin "published.json"
residue_embedded_published_end:
    .byte 0
    .global residue_embedded_lexical_wordnet_weights_begin
    .global residue_embedded_lexical_wordnet_weights_end
residue_embedded_lexical_wordnet_weights_begin:
    .incbin "lexical_wordnet_weights.json"
residue_embedded_lexical_wordnet_weights_end:
    .byte 0
    .section .note.GNU-stack,"",@progbits
